"""What surveillance sees: published models, their schema, and the outbox that sends them over MQTT.

Publish-only: nothing here that the daemon uses subscribes to anything. The outbox is the journal with a cursor; it
reads the bodies of event rows and nothing else, so the identity of a face-down card cannot pass through it.
"""

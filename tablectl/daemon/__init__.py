"""The daemon: configuration, supervision, the service manager, and the wiring of everything below."""

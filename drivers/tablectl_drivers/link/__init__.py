"""The table device link: our documented protocol for equipment that has none.

`framing` turns bytes into bodies and back, `payloads` messages and commands, `frames` the frames around them; `host`
and `device` are the two ends of a session. None of these does I/O or reads a clock, so that the driver and the
emulators are built from the same code. `driver` and `serial_port` put the host's end on a serial line.
``drivers/PROTOCOL.md`` specifies the protocol for those who write firmware.
"""

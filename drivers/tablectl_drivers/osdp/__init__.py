"""OSDP 2 credential readers (IEC 60839-11-5, SIA OSDP 2.2) on RS-485; this end is the control panel.

`packets` turns bytes into packets and back, `secure_channel` proves and encrypts them, `contents` holds what commands
and replies carry, `control_panel` is the panel's end of one conversation. None of these does I/O or reads a clock, so
that the emulated reader is built from the same code. `bus` takes turns on the line, `driver` is the plugin, and
``drivers/OSDP.md`` says how a reader is wired and configured.

Kept libraries were tried first. libosdp 3.2 takes a reader offline for 300 seconds after one damaged frame of a
secured conversation, keeps no link statistics, fixes its times when it is compiled and reads the line in native code
inside the daemon; osdp 1.6 closes the port at the first wrong byte and blocks a thread per line. So the codec is our
own, and libosdp is what the tests prove it against, in both directions.
"""

"""Button panels that are human interface devices: X-keys by P.I. Engineering, and any other box with buttons.

`reports` turns reports into levels of buttons and lamps into reports, without I/O; `driver` has the drivers ``xkeys``
and ``hid-buttons``. They open the USB device themselves, so that no keyboard driver and no other process has it.
"""

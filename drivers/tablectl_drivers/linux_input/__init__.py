"""Linux input devices: boxes of buttons, and badge readers that type a badge's number as a keyboard would.

`codes` has the names of keys, `frames` turns bytes into frames of events, `typist` turns typed keys into numbers; none
of these does I/O or reads a clock. `files` finds, opens and asks device files, `driver` is the plugin, and
``drivers/LINUX_INPUT.md`` says how a device is configured.

The package evdev was looked at first: it comes as source that needs a compiler and the kernel's headers on every
machine it is installed on, and cannot read from anything but a device file. What is needed of it is one structure and
nine requests.
"""

"""USB through libusb: where a device is, how it is opened, read and written, and who else is plugged in.

`address` says what a port such as ``usb:05f3:0405?serial=…`` means, `bus` is the one module that touches pyusb and
gives typed results, `port` runs an opened device in threads of its own, `watch` tells of devices that nobody has
allowed. ``drivers/USB.md`` is for those who set up a table or write firmware.
"""

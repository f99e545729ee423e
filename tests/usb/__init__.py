"""USB on a real kernel, in a virtual machine: `make test-usb`.

`qemu_usb` boots the machine and pulls at its cables, `machine` makes it, `guest_usb` are the tests that run inside it.
None of these is found by `make test`: the machine takes half a minute, packages of its own, and a kernel.
"""

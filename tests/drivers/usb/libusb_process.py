"""Run below `umockdev-run`: find, open and read a device with the real libusb, and print what that gave as JSON."""

from __future__ import annotations

import json

from tablectl_drivers.hid.reports import MODELS, decode
from tablectl_drivers.usb.address import parse
from tablectl_drivers.usb.bus import Bus, Received, Role
from tablectl_drivers.usb.watch import allowed, snapshot, strangers


def main() -> None:
    bus = Bus()
    listed = bus.find(parse("usb:05f3:0405?serial=S1"), last="1-1")
    pipes = bus.open(listed, Role.HID)
    down = []
    for _ in range(2):
        match pipes.read(100):
            case Received(data):
                down.append(repr(decode(MODELS[listed.product], data)))
            case other:
                down.append(repr(other))
    pipes.close()
    seen = snapshot()
    print(
        json.dumps(
            {
                "listed": sorted((it.ids, it.port) for it in bus.devices()),
                "found": listed.port,
                "serial": bus.serial(listed),
                "reports": down,
                "strangers": sorted(map(str, strangers(seen, allowed(["usb:05f3:0405?serial=S1&port=1-2.4"])))),
            }
        )
    )


main()

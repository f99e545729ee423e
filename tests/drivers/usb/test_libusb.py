"""The real libusb and the real lists of the kernel, over devices that umockdev makes up."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import usb.backend.libusb1

ROOT = Path(__file__).parent.parent.parent.parent

pytestmark = [
    pytest.mark.skipif(
        shutil.which("umockdev-run") is None, reason="umockdev is not installed: apt-get install umockdev"
    ),
    pytest.mark.skipif(
        usb.backend.libusb1.get_backend() is None, reason="libusb is not installed: apt-get install libusb-1.0-0"
    ),
]


def descriptors(vendor: int, product: int, usb_class: int, packet: int) -> str:
    """Device, configuration, one interface, one interrupt endpoint in and one out, in hexadecimal digits."""
    ids = vendor.to_bytes(2, "little") + product.to_bytes(2, "little")
    device = bytes((18, 1, 0, 2, 0, 0, 0, 64)) + ids + bytes((0, 1, 0, 0, 0, 1))
    ends = b"".join(bytes((7, 5, end, 3, packet, 0, 1)) for end in (0x81, 0x02))
    interface = bytes((9, 4, 0, 0, 2, usb_class, 0, 0, 0)) + ends
    configuration = bytes((9, 2, 9 + len(interface), 0, 1, 1, 0, 0x80, 50))
    return (device + configuration + interface).hex()


def described(path: str, number: int, vendor: int, model: int, usb_class: int = 3, **attributes: str) -> str:
    """One device in umockdev's words."""
    node = f"bus/usb/001/{number:03}"
    lines = [
        f"P: /devices/pci0000:00/0000:00:14.0/{path}",
        f"N: {node}",
        f"E: DEVNAME=/dev/{node}",
        "E: DEVTYPE=usb_device",
        "E: SUBSYSTEM=usb",
        f"E: BUSNUM=001\nE: DEVNUM={number:03}",
        f"A: busnum=1\\n\nA: devnum={number}\\n\nA: speed=12\\n\nA: bConfigurationValue=1\\n",
        f"A: idVendor={vendor:04x}\\n\nA: idProduct={model:04x}\\n",
        *(f"A: {key}={value}\\n" for key, value in attributes.items()),
        f"H: descriptors={descriptors(vendor, model, usb_class, 36)}",
    ]
    return "\n".join(lines) + "\n\n"


def test_found_opened_and_read_with_the_real_libusb(tmp_path: Path) -> None:
    devices = tmp_path / "devices.umockdev"
    devices.write_text(
        described("usb1", 1, 0x1D6B, 0x0002, 9)
        + described("usb1/1-2", 2, 0x0451, 0x8142, 9, product="Hub", bDeviceClass="09")
        + described("usb1/1-2/1-2.4", 5, 0x05F3, 0x0405, product="XK-24", serial="S1")
        + described("usb1/1-3", 6, 0x05F3, 0x0405, product="XK-24", serial="S2")
    )
    reports = (bytes.fromhex("00 02 00 00 00 00").ljust(32, b"\0"), bytes.fromhex("00 00 01 00 00 20").ljust(32, b"\0"))
    replay = tmp_path / "panel.ioctl"
    replay.write_text(
        "USBDEVFS_CONNECTINFO 0 0500000000000000\nUSBDEVFS_GET_CAPABILITIES 0 00000000\n"
        + "".join(f"USBDEVFS_REAPURBNDELAY 0 1 129 0 0 36 {len(it)} 0 {it.hex()}\n" for it in reports)
    )
    command = ["umockdev-run", "-d", str(devices), "-i", f"/dev/bus/usb/001/005={replay}", "--"]
    process = [sys.executable, "-m", "tests.drivers.usb.libusb_process"]
    done = subprocess.run([*command, *process], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "listed": [["0451:8142", "1-2"], ["05f3:0405", "1-2.4"], ["05f3:0405", "1-3"]],
        "found": "1-2.4",
        "serial": "S1",
        "reports": [
            "Levels(unit=0, generated=True, down=frozenset())",
            "Levels(unit=0, generated=False, down=frozenset({(1, 1), (4, 6)}))",
        ],
        "strangers": ["05f3:0405 (XK-24) with serial number S2 on USB port 1-3"],
    }

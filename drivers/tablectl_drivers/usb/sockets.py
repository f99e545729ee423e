"""In which USB socket the device is that a configured port leads to, where the port names a device file.

By the kernel's own lists: the number of the device file leads to the device, and that to what it hangs on.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from tablectl_drivers.linux_input.files import SystemFiles
from tablectl_drivers.linux_input.files import parse as parse_input

__all__ = ["NUMBERS", "device_file", "names_file", "socket"]

NUMBERS: Final = Path("/sys/dev/char")


def names_file(port: str) -> bool:
    """Whether the port names a device file in a way that is known here."""
    return port.startswith(("serial:", "evdev:"))


def device_file(port: str) -> Path:
    """The device file that such a port names; `OSError` when it is not there, `ValueError` when it cannot be."""
    scheme, _, rest = port.partition(":")
    if scheme == "evdev":
        return SystemFiles().find(parse_input(port))
    return Path(rest.partition("?")[0])


def socket(file: Path, numbers: Path = NUMBERS) -> str | None:
    """The socket of the USB device that the device file belongs to, such as ``1-2.3``; None when it is not on USB.

    `OSError` when the file is not there. It may block.
    """
    number = file.stat().st_rdev
    place = (numbers / f"{os.major(number)}:{os.minor(number)}").resolve()
    return next((folder.name for folder in (place, *place.parents) if (folder / "idVendor").is_file()), None)

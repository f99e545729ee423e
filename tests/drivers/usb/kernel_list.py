"""The kernel's list of USB devices in a folder, which umockdev shows to a process as that of the machine."""

from __future__ import annotations

import os
import shutil
from itertools import count
from pathlib import Path

import pytest

needs_umockdev = pytest.mark.skipif(
    shutil.which("umockdev-run") is None, reason="umockdev is not installed: apt-get install umockdev"
)


class KernelList:
    """A machine's `/sys` below `root`, with nothing plugged in; a device comes and goes whole, as with the kernel."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.devices = root / "sys" / "bus" / "usb" / "devices"
        self.numbers = root / "sys" / "dev" / "char"
        self.devices.mkdir(parents=True)
        self.numbers.mkdir(parents=True)
        self._aside = root.with_name(f"{root.name}-aside")
        self._aside.mkdir()
        self._names = count()

    @property
    def environment(self) -> dict[str, str]:
        """With these a process sees this machine's list in the place of the real one."""
        return {"LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": str(self.root)}

    def put(self, name: str, **attributes: str) -> Path:
        """Plug a device in, or add an interface of one."""
        folder = self._aside / str(next(self._names))
        folder.mkdir()
        for key, value in attributes.items():
            (folder / key).write_bytes(value.encode("utf-8", "surrogateescape") + b"\n")
        return folder.rename(self.devices / name)

    def take(self, name: str) -> None:
        """Pull it out."""
        (self.devices / name).rename(self._aside / str(next(self._names)))

    def own(self, file: Path, name: str) -> None:
        """Say that the device file belongs to the device of that name."""
        number = file.stat().st_rdev
        link = self.numbers / f"{os.major(number)}:{os.minor(number)}"
        link.unlink(missing_ok=True)
        (self.devices / name / "tty").mkdir(exist_ok=True)
        link.symlink_to(self.devices / name / "tty")

    def panel(self, name: str = "1-1") -> None:
        """An X-keys panel, which has no serial number."""
        self.put(name, idVendor="05f3", idProduct="0405", manufacturer="P. I. Engineering", product="XK-24")

    def shoe(self, name: str = "1-2") -> None:
        """A shoe with a serial number."""
        self.put(name, idVendor="1209", idProduct="0001", serial="S7", product="Shoe")

    def stick(self, name: str = "1-3") -> None:
        """A memory stick."""
        self.put(name, idVendor="0781", idProduct="5567", serial="4C53", manufacturer="SanDisk", product="Cruzer")

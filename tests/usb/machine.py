"""A virtual machine with USB: Debian's kernel, QEMU without help from the processor, the host's files as its root."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

__all__ = ["KERNEL", "Machine", "boot"]

ROOT: Final = Path(__file__).parent.parent.parent
KERNEL: Final = ROOT / ".venv" / "usb-kernel"
MODULES: Final = (
    "virtio_pci",
    "9pnet_virtio",
    "9p",
    "overlay",
    "xhci_pci",
    "ftdi_sio",
    "vhci-hcd",
    "usbhid",
    "hid-generic",
)


@dataclass
class Machine:
    """The machine as it runs: what it prints, and its cables."""

    process: asyncio.subprocess.Process
    monitor: tuple[asyncio.StreamReader, asyncio.StreamWriter]
    printed: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)

    async def lines(self) -> AsyncIterator[str]:
        """What it prints, line by line, until it is switched off."""
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            text = line.decode(errors="replace").strip("\r\n\x00")
            self.printed.append(text)
            yield text

    async def do(self, command: str, **arguments: object) -> Any:
        """Tell QEMU something; what it answers."""
        reader, writer = self.monitor
        writer.write(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = json.loads(await reader.readline())
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise AssertionError(f"{command}: {answer['error']['desc']}")
            self.events.append(answer)

    async def unplug(self, device: str) -> None:
        """Pull a device's cable; returns when it can be put back."""
        await self.do("device_del", id=device)
        while not any(it["event"] == "DEVICE_DELETED" and it["data"].get("device") == device for it in self.events):
            self.events.append(json.loads(await self.monitor[0].readline()))
        self.events.clear()


@asynccontextmanager
async def boot(folder: Path, devices: Sequence[str]) -> AsyncIterator[Machine]:
    """Start the machine with further `devices`, the words of QEMU's command line; it ends with the block."""
    command = [
        *("qemu-system-x86_64", "-accel", "tcg", "-m", "1024", "-smp", "2", "-no-reboot", "-nodefaults", "-nographic"),
        *("-serial", "stdio"),
        *("-kernel", str(next((KERNEL / "boot").glob("vmlinuz-*")))),
        *("-initrd", str(_initrd(folder))),
        *("-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"),
        *("-append", f"console=ttyS0 quiet loglevel=1 panic=-1 project={ROOT} python={sys.executable}"),
        *("-qmp", f"unix:{folder / 'monitor'},server=on,wait=off"),
        *devices,
    ]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe)
    try:
        machine = Machine(process, await _connect(folder / "monitor"))
        with contextlib.closing(machine.monitor[1]):
            await machine.monitor[0].readline()  # its greeting
            await machine.do("qmp_capabilities")
            yield machine
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _connect(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    async with asyncio.timeout(10):
        while True:
            try:
                return await asyncio.open_unix_connection(path)
            except (FileNotFoundError, ConnectionRefusedError):
                await asyncio.sleep(0.02)


def _initrd(folder: Path) -> Path:
    """The first files of the machine: a shell and the modules, numbered in the order in which they load."""
    root = folder / "initrd"
    (root / "bin").mkdir(parents=True)
    (root / "modules").mkdir()
    busybox = shutil.which("busybox")
    assert busybox is not None, "busybox is not installed: make test-usb"
    shutil.copy(busybox, root / "bin" / "busybox")
    shutil.copy(Path(__file__).with_name("init"), root / "init")
    (root / "init").chmod(0o755)
    for place, module in enumerate(_in_order(MODULES)):
        shutil.copy(module, root / "modules" / f"{place:02}-{module.name}")
    image = folder / "initrd.cpio"
    names = os.linesep.join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    with image.open("wb") as file:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], input=names.encode(), stdout=file, cwd=root, check=True)
    return image


def _in_order(names: Iterable[str]) -> list[Path]:
    """The modules with all that they need, what is needed first; what is built into the kernel needs no loading."""
    (base,) = (KERNEL / "lib" / "modules").iterdir()
    needs: dict[str, tuple[str, list[str]]] = {}
    for line in (base / "modules.dep").read_text().splitlines():
        path, _, rest = line.partition(":")
        needs[_name(path)] = (path, rest.split())
    order: dict[str, None] = {}

    def add(name: str) -> None:
        if name in needs:
            path, others = needs[name]
            for other in reversed(others):
                add(_name(other))
            order.setdefault(path)

    for name in names:
        add(name.replace("-", "_"))
    return [base / path for path in order]


def _name(path: str) -> str:
    return Path(path).name.partition(".")[0].replace("-", "_")

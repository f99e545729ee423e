"""`tablectl devices`: ports, USB devices and drivers of this machine, or how the devices of one table are.

The devices of a table are looked at through their drivers, without acknowledging anything: what they have to say to the
daemon they will say again. A port that the daemon has open is not given to anybody else, so stop it first. For strange
USB devices nothing has to be stopped: the kernel's list is all that is read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablectl.cli import EQUIPMENT, OK
from tablectl.devices import Device, LinkState, registry
from tablectl.devices.watcher import Plugged, Unreadable
from tablectl.equipment import DeviceState
from tablectl.errors import ConfigurationError

if TYPE_CHECKING:
    from tablectl.daemon.config import UsbConfig

__all__ = ["devices_arguments", "run_devices"]

_BY_NAME = (Path("/dev/serial/by-id"), Path("/dev/serial/by-path"))
_LOOK_S = 0.05
_TAKEN = "another program has this port (the daemon, if it runs)"
# What the system says of a port, and what that means; {} is the port's path.
_MEANS = (
    ("No such file or directory", "there is no {}: plug it in; tablectl devices lists the ports"),
    ("Could not exclusively lock", _TAKEN),
    ("Device or resource busy", _TAKEN),
    ("Permission denied", "this user may not open {}: use the daemon's user, as in sudo -u tablectl tablectl devices"),
    ("Inappropriate ioctl", "{} is no serial port; tablectl devices lists the ports"),
    ("Is a directory", "{} is a folder; tablectl devices lists the ports"),
)


def devices_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tablectl devices`."""
    parser.add_argument("config", nargs="?", type=Path, metavar="CONFIG", help="look at the devices of this table")
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S", help="how long to wait for them (default 5)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_devices(options: argparse.Namespace) -> int:
    """List what there is; with CONFIG status 3 when a device is not there, or a USB device that nobody has allowed."""
    if options.config is None:
        return _list(as_json=options.json)
    from tablectl.daemon.config import load
    from tablectl.daemon.logs import set_up

    set_up("error")  # what drivers log of a device is in what is printed
    config = load(options.config)
    documents = asyncio.run(_look_at([device.make() for device in config.devices], options.seconds))
    usb = None if config.usb is None else asyncio.run(_strangers(config.usb))
    taken = False
    for device, document in zip(config.devices, documents, strict=True):
        document["problem"] = _problem(device.port, document["link"])
        taken |= document["problem"] == _TAKEN
    if options.json:
        print(json.dumps({"devices": documents, "usb": usb}, indent=2))
    else:
        for document in documents:
            print("\n".join(_device_lines(document)))
        for line in _stranger_lines(usb):
            print(line)
    whole = usb is None or not (usb["problem"] or usb["strangers"])
    if not whole:
        print("tablectl: what is plugged in is not what the section [usb] allows.", file=sys.stderr)
    if all(document["link"]["state"] == LinkState.UP for document in documents):
        return OK if whole else EQUIPMENT
    daemon = (
        f" If the daemon runs, it has the ports, and publishes how they are under {config.place.topic('device/ID')}."
        if taken
        else ""
    )
    print(f"tablectl: not every device is there.{daemon}", file=sys.stderr)
    return EQUIPMENT


# Ports and drivers ----------------------------------------------------------------------------------------------------


def _list(*, as_json: bool) -> int:
    found = {"ports": _ports(), "usb": _plugged(), "drivers": _drivers()}
    if as_json:
        print(json.dumps(found, indent=2))
        return OK
    print("serial ports" if found["ports"] else "serial ports: none")
    for port in found["ports"]:
        print(f"  {port['port']}")
        facts = (
            f"{key.replace('_', ' ')} {', '.join(value) if isinstance(value, list) else value}"
            for key, value in port.items()
            if value and key not in ("port", "stable")
        )
        print(f"      {'; '.join(facts)}")
        if not port["stable"]:
            print("      no stable name: another port may have this name after the next start")
    print("USB devices, each with its entry for usb.allow" if found["usb"] else "USB devices: none")
    for device in found["usb"]:
        print(f'  "{device["entry"]}"\n      {device["words"]}')
    print("drivers" if found["drivers"] else "drivers: none are installed")
    for driver in found["drivers"]:
        print(f"  {driver['name']}: {driver['problem'] or ', '.join(driver['kinds'])}")
    return OK


def _ports() -> list[dict[str, Any]]:
    from serial.tools import list_ports

    names: dict[Path, list[str]] = {}
    for folder in _BY_NAME:
        for name in sorted(folder.iterdir()) if folder.is_dir() else ():
            names.setdefault(name.resolve(), []).append(str(name))
    ports = []
    for info in sorted(list_ports.comports()):
        stable = names.get(Path(info.device).resolve(), [])
        ports.append(
            {
                "port": f"serial:{stable[0] if stable else info.device}",
                "stable": bool(stable),
                "device": info.device,
                "names": stable,
                "usb": None if info.vid is None else f"{info.vid:04x}:{info.pid:04x}",
                "serial_number": info.serial_number,
                "maker": info.manufacturer,
                "product": info.product,
                "socket": info.location,
            }
        )
    return ports


def _plugged() -> list[dict[str, Any]]:
    """All USB devices but hubs; none where that cannot be told."""
    try:
        return _described(registry.load_watcher("usb").plugged())
    except (ConfigurationError, OSError):
        return []


def _described(devices: Collection[Plugged]) -> list[dict[str, Any]]:
    return [
        {
            "ids": device.ids,
            "serial_number": device.serial,
            "name": device.name,
            "socket": device.port,
            "entry": device.entry,
            "words": str(device),
        }
        for device in sorted(devices, key=lambda device: device.port)
    ]


def _drivers() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, where in registry.known().items():
        kinds: list[str] = []
        problem = None
        try:
            kinds = sorted(registry.load(name).kinds)
        except ConfigurationError as error:
            problem = str(error)
        found.append({"name": name, "class": where, "kinds": kinds, "problem": problem})
    return found


# The devices of one table ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Look:
    """One device and what it has said of its state; what it has to say to the daemon is counted and passed over."""

    device: Device
    state: DeviceState | None = None
    waiting: int = 0

    async def listen(self) -> None:
        async for delivery in self.device.events():
            if isinstance(delivery.message, DeviceState):
                self.state = delivery.message
            elif delivery.number:
                self.waiting += 1

    @property
    def complete(self) -> bool:
        health = self.device.health()
        return health.state is LinkState.UP and self.state is not None and health.round_trip_ms is not None

    def document(self) -> dict[str, Any]:
        description, health = self.device.description, self.device.health()
        return {
            "id": self.device.id,
            "kind": self.device.kind.value,
            "description": None if description is None else asdict(description),
            "state": None if self.state is None else asdict(self.state),
            "waiting": self.waiting,
            "link": asdict(health),
        }


async def _look_at(devices: Sequence[Device], seconds: float) -> list[dict[str, Any]]:
    """What is found out about them until everything is known or the time is over; they are closed again."""
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        looks = [_Look(await stack.enter_async_context(device)) for device in devices]
        listeners = [loop.create_task(look.listen(), name=f"look at {look.device.id}") for look in looks]
        try:
            until = loop.time() + seconds
            while loop.time() < until and not all(look.complete for look in looks):
                ended, _ = await asyncio.wait(listeners, timeout=_LOOK_S)
                for listener in ended:
                    listener.result()  # a driver's events end with the driver, or with what broke it
            return [look.document() for look in looks]
        finally:
            for listener in listeners:
                listener.cancel()
            await asyncio.wait(listeners)


async def _strangers(usb: UsbConfig) -> dict[str, Any]:
    """The USB devices that the configuration does not allow, or why that cannot be told."""
    watcher = usb.make()
    for change in await watcher.look(at_once=True):
        if isinstance(change, Unreadable):
            return {"strangers": None, "problem": change.reason}
    return {"strangers": _described(watcher.strangers or ()), "problem": None}


def _problem(port: str, link: dict[str, Any]) -> str | None:
    """Why the device is not there, in words and once; None when it is."""
    if link["state"] == LinkState.UP:
        return None
    said, path = link["last_error"] or "nothing answers", port.partition(":")[2].partition("?")[0]
    return next((words.format(path) for sign, words in _MEANS if sign in said and path.startswith("/")), said)


def _stranger_lines(usb: dict[str, Any] | None) -> Iterator[str]:
    if usb is None:
        yield "USB: not watched, as there is no section [usb]"
    elif usb["problem"]:
        yield f"USB: {usb['problem']}"
    else:
        yield "USB: strangers" if usb["strangers"] else "USB: no strangers"
        for device in usb["strangers"]:
            yield f"  {device['words']}"
            yield f'      if it belongs there, add "{device["entry"]}" to usb.allow'


def _device_lines(document: dict[str, Any]) -> list[str]:
    link, description, state = document["link"], document["description"], document["state"]
    lines = [f"{document['id']} ({document['kind']}): {link['state']}"]
    if document["problem"] is not None:
        lines.append(f"  {document['problem']}")
    if description is not None:
        able = ", ".join(description["capabilities"]) or "none"
        lines.append(
            f"  {description['model']}, serial number {description['serial']}, firmware {description['firmware']},"
            f" capabilities {able}"
        )
    if state is not None:
        light = f"{state['lamp']}{' blinking' if state['blinking'] else ''}"
        inside = "" if state["cards_inside"] is None else f", {state['cards_inside']} cards inside"
        tamper = ", tamper switch open" if state["tamper"] else ""
        fault = f", fault {state['fault']}" if state["fault"] else ""
        lines.append(f"  mode {state['mode']}, light {light}{inside}{tamper}{fault}")
    trip = "not measured" if link["round_trip_ms"] is None else f"{link['round_trip_ms']:.1f} ms"
    lines.append(
        f"  round trip {trip}, bad frames {link['bad_frames']}, retransmits {link['retransmits']},"
        f" duplicates {link['duplicates']}, messages that wait for the daemon {document['waiting']}"
    )
    return lines

"""Names of keys, buttons and lamps, as the kernel's header ``input-event-codes.h`` has them."""

from __future__ import annotations

from typing import Final

__all__ = ["CHARACTERS", "ENDS", "KEYS", "LAMPS", "MODIFIERS", "code"]


def _numbered(prefix: str, first: int, names: str) -> dict[str, int]:
    return {f"{prefix}_{name}": number for number, name in enumerate(names.split(), first)}


KEYS: Final[dict[str, int]] = {
    **_numbered(
        "KEY",
        1,
        "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER LEFTCTRL"
        " A S D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH Z X C V B N M COMMA DOT SLASH RIGHTSHIFT"
        " KPASTERISK LEFTALT SPACE CAPSLOCK F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK SCROLLLOCK"
        " KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT",
    ),
    **_numbered("KEY", 86, "102ND F11 F12"),
    **_numbered(
        "KEY",
        96,
        "KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT LINEFEED HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN INSERT DELETE",
    ),
    **_numbered("KEY", 117, "KPEQUAL"),
    **_numbered("KEY", 119, "PAUSE"),
    **_numbered("KEY", 121, "KPCOMMA"),
    **_numbered("KEY", 125, "LEFTMETA RIGHTMETA COMPOSE"),
    **_numbered("KEY", 183, "F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24"),
    **{f"KEY_MACRO{number + 1}": 656 + number for number in range(30)},
    **_numbered("BTN", 256, "0 1 2 3 4 5 6 7 8 9"),
    **_numbered("BTN", 272, "LEFT RIGHT MIDDLE SIDE EXTRA"),
    **_numbered("BTN", 288, "TRIGGER THUMB THUMB2 TOP TOP2 PINKIE BASE BASE2 BASE3 BASE4 BASE5 BASE6"),
    **_numbered("BTN", 304, "SOUTH EAST C NORTH WEST Z TL TR TL2 TR2 SELECT START MODE THUMBL THUMBR"),
    **{f"BTN_TRIGGER_HAPPY{number + 1}": 704 + number for number in range(40)},
}
LAMPS: Final = _numbered("LED", 0, "NUML CAPSL SCROLLL COMPOSE KANA SLEEP SUSPEND MUTE MISC MAIL CHARGING")

KEY_MAX: Final = 0x2FF

CHARACTERS: Final[dict[int, str]] = {
    KEYS[f"KEY_{prefix}{character}"]: character
    for prefix, characters in (("", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), ("KP", "0123456789"))
    for character in characters
}
ENDS: Final = frozenset({KEYS["KEY_ENTER"], KEYS["KEY_KPENTER"]})
MODIFIERS: Final = frozenset({KEYS["KEY_LEFTSHIFT"], KEYS["KEY_RIGHTSHIFT"], KEYS["KEY_CAPSLOCK"], KEYS["KEY_NUMLOCK"]})


def code(name: str, names: dict[str, int], most: int = KEY_MAX) -> int:
    """The number of that name, or the number that is given itself; `ValueError` for neither."""
    if name in names:
        return names[name]
    if name.isascii() and name.isdigit() and 0 < int(name) <= most:
        return int(name)
    raise ValueError(f"{name!r} is no key: expected a name such as {next(iter(names))}, or its number up to {most}")

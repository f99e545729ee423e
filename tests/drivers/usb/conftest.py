"""Threads that look up often, so that closing a device costs a test little."""

from __future__ import annotations

import pytest

from tablectl_drivers.usb import port


@pytest.fixture(autouse=True)
def quick_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "READ_MS", 20)

"""One process of emulators for all tests of drivers and emulators; each test brings its own devices to it."""

from __future__ import annotations

from tests.drivers.rig import bench_folder

__all__ = ["bench_folder"]

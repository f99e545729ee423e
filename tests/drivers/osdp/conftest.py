"""One process of readers for all tests of this folder."""

from __future__ import annotations

from tests.drivers.osdp.rig import bench_folder

__all__ = ["bench_folder"]

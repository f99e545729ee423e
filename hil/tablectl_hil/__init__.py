"""Emulated equipment that speaks the real wire protocols, and the scenarios that exercise a table with it."""

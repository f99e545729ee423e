"""Controls one dealer table: its procedures, equipment, journal and surveillance feed."""

__version__ = "0.1.0"

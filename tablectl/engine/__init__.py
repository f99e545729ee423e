"""Drives procedures: scripted, live with devices and journal, or replayed from the journal."""

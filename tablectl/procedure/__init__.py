"""Procedures: instructions, the stage table, the Table, and the procedures that all games share.

A procedure is an ``async def`` function driven by our own engine and never by asyncio. It is a pure function of the
results it is fed: no clocks, no random numbers, no sets, no globals, no logging.
"""

"""The retained documents of a table, the ring of its last rounds among them, and which of them are to be sent."""

from __future__ import annotations

from tablectl.surveillance.outbox import EventMessage, Ring

__all__ = ["Documents"]


class Documents:
    """The latest document of each topic, by the topic's end (``state``, ``ring/3``); `next` says which is to be sent.

    Pure: knows no connection; times are seconds of any clock that does not go back.
    """

    def __init__(self, first: str, payload: bytes, slots: int, *, training: bool = False) -> None:
        """`first` is the topic that goes before all others on a new connection."""
        self._first = first
        self._stored = {first: payload}
        self._waiting: dict[str, None] = {}
        self._denied: dict[str, None] = {}
        self._denied_until = 0.0
        self.ring = Ring(slots, training=training)

    def __bool__(self) -> bool:
        """Whether one waits to be sent."""
        return bool(self._waiting)

    def set(self, topic: str, payload: bytes) -> bool:
        """Let this be the document of that topic, empty for none; whether there is anything to be sent."""
        if self._stored.get(topic) == payload:
            return False
        self._stored[topic] = payload
        self._waiting[topic] = None
        return True

    def add(self, message: EventMessage) -> None:
        """Take an event into the ring."""
        if (slot := self.ring.add(message)) is not None:
            self._waiting[f"ring/{slot}"] = None

    def show_growing(self) -> None:
        """Send the round that is not over as far as it has come."""
        if (slot := self.ring.growing) is not None:
            self._waiting[f"ring/{slot}"] = None

    def replace_ring(self, ring: Ring) -> None:
        """Have another ring, all of which is to be sent."""
        self.ring = ring
        self._waiting.update((f"ring/{slot}", None) for slot in ring)

    def all_again(self) -> None:
        """Everything is to be sent, but what is denied."""
        topics = [*self._stored, *(f"ring/{slot}" for slot in self.ring)]
        self._waiting = {topic: None for topic in topics if topic not in self._denied}

    def next(self) -> tuple[str, bytes]:
        """The topic and the document that is to be sent now; it is then no longer waiting."""
        topic = next(iter(self._waiting))
        del self._waiting[topic]
        kind, _, slot = topic.partition("/")
        return topic, self.ring.document(int(slot)) if kind == "ring" else self._stored[topic]

    def deny(self, topic: str, until: float) -> None:
        """The broker has refused it: not before then again."""
        self._denied[topic] = None
        self._denied_until = until

    def forgive(self, now: float) -> None:
        """Let what was denied wait again, if its time has come."""
        if self._denied and now >= self._denied_until:
            self._waiting.update(self._denied)
            self._denied.clear()

"""The retained documents that say how the table stands now, made from what the running table knows."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tablectl.devices import Device, LinkState
from tablectl.engine.live import Status
from tablectl.engine.picture import Link
from tablectl.equipment import Lamp, Mode
from tablectl.money import Money, show
from tablectl.procedure.game import Dealing, Game
from tablectl.procedure.instructions import DeckQuestion as Asked
from tablectl.procedure.instructions import Gap as PlayedWithout
from tablectl.procedure.jackpots import BAD_BEAT, HIGH_HAND, Books, jackpot_of
from tablectl.procedure.table import Phase
from tablectl.procedure.table import TableState as PlayedState
from tablectl.surveillance.models import (
    Deck,
    DeckQuestion,
    DeviceStatus,
    Gap,
    JackpotStatus,
    Latch,
    MeterStatus,
    StandingFault,
    Stopped,
    Stranger,
    TableState,
)

__all__ = ["Latched", "device_document", "jackpot_documents", "meter_document", "state_document"]

_HOUR_S = 3600


class Latched:
    """Since when each fault is latched, and play stands still, as this process saw it."""

    def __init__(self) -> None:
        self._since: dict[tuple[str, str], str] = {}
        self._stopped: tuple[tuple[str, str], str] | None = None

    def documents(self, status: Status) -> tuple[Latch, ...]:
        """The latched faults of a status."""
        now = _now()
        known = {(device, fault) for device, fault, _message in status.latches}
        self._since = {place: since for place, since in self._since.items() if place in known}
        return tuple(
            Latch(
                device=device,
                fault=fault,
                message=message,
                since=self._since.setdefault((device, fault.value), now),
            )
            for device, fault, message in status.latches
        )

    def stopped(self, status: Status) -> Stopped | None:
        """Why play stands still, if it does."""
        if status.stopped is None:
            self._stopped = None
            return None
        if self._stopped is None or self._stopped[0] != status.stopped:
            self._stopped = status.stopped, _now()
        (cause, by), since = self._stopped
        return Stopped(cause=cause, by=by, since=since)


def _now() -> str:
    return _told(datetime.now(UTC))


def _told(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _at(seconds: int) -> str:
    """Seconds since the epoch as they are published."""
    return _told(datetime.fromtimestamp(seconds, UTC))


def state_document(
    game: Game,
    boot: str,
    status: Status,
    latched: Latched,
    strangers: tuple[Stranger, ...] | None,
    *,
    training: bool = False,
) -> TableState:
    """Topic ``state``."""
    state = status.state
    standing = () if state is None else state.standing
    return TableState(
        boot=boot,
        game=game.id,
        round=status.round or None,
        stage=status.stage,
        prompt=status.prompt.line(),
        keys=status.prompt.lit,
        latches=latched.documents(status),
        connected=tuple(name for name, up in status.links.items() if up),
        missing=tuple(name for name, up in status.links.items() if not up),
        sequence=status.sequence,
        strangers=strangers,
        open=state is not None and state.phase is Phase.OPEN,
        day=0 if state is None else state.day,
        dealer="" if state is None else state.dealer,
        barred=() if state is None else state.barred,
        stopped=latched.stopped(status),
        gaps=tuple(_gap(gap) for gap in (() if state is None else state.gaps)),
        decks=() if state is None else _decks(game, state),
        questions=tuple(_question(asked) for asked in (() if state is None else state.questions)),
        standing=tuple(StandingFault(device=each.device, fault=each.fault) for each in standing),
        training=training,
    )


def _decks(game: Game, state: PlayedState) -> tuple[Deck, ...]:
    """The decks at the table, the one in play first."""
    if not state.decks:
        return ()
    clock = game.deck_clocks.get(Dealing(state.dealing))
    return tuple(
        Deck(
            id=deck.id,
            back=deck.back,
            in_play=place == 0,
            in_shuffler=deck.in_shuffler,
            since=_at(deck.since),
            change_at=None if clock is None else _at(deck.since + clock[0] * _HOUR_S),
            change_near=deck.warned,
            verified=_at(deck.verified) if deck.verified else None,
        )
        for place, deck in enumerate(state.decks)
    )


def _question(asked: Asked) -> DeckQuestion:
    return DeckQuestion(deck=asked.deck, what=asked.what, detail=asked.detail, since=_at(asked.since))


def meter_document(game: Game, rules: Any, boot: str, status: Status, *, training: bool = False) -> MeterStatus | None:
    """Topic ``meter``; None where no progressive is on file, or a start cannot go on."""
    filed = any(system.progressive is not None and system.offered(rules) for system in game.systems)
    if not filed or status.state is None:
        return None
    progressive = status.state.progressive
    ledger = progressive.ledger
    said = None if ledger is None else ledger.said()
    rates = None if ledger is None else ledger.rules
    return MeterStatus(
        boot=boot,
        display=_dollars(progressive.display),
        barred=progressive.barred,
        base=_dollars(None if rates is None else rates.base),
        reset=_dollars(None if rates is None else rates.reset),
        limit=_dollars(None if rates is None else rates.limit),
        increment_ppm=None if rates is None else rates.increment_ppm,
        hidden_ppm=None if rates is None else rates.hidden_ppm,
        wagered=_dollars(None if said is None else said.wagered),
        hits=None if said is None else said.hits,
        wins=_dollars(None if said is None else said.wins),
        overflow=_dollars(None if said is None else said.overflow),
        reserve=_dollars(None if said is None else said.reserve),
        seed=_dollars(None if said is None else said.seed),
        lowered=_dollars(None if said is None else said.lowered),
        training=training,
    )


def jackpot_documents(rules: Any, boot: str, status: Status, *, training: bool = False) -> dict[str, JackpotStatus]:
    """Topics ``jackpot/KIND``, of those jackpots that are on file or still have money."""
    found: dict[str, JackpotStatus] = {}
    for kind in (BAD_BEAT, HIGH_HAND):
        filed = getattr(rules, kind, None)
        if status.state is None:
            continue
        jackpot = jackpot_of(status.state.room, kind)
        books = jackpot.books
        if filed is None and books == Books():
            continue
        length = getattr(filed, "period_minutes", 0) * 60
        found[f"jackpot/{kind}"] = JackpotStatus(
            boot=boot,
            jackpot=kind,
            display=show(jackpot.display),
            pending=jackpot.pending,
            ended=jackpot.ended,
            box=show(books.box),
            sent=show(books.sent),
            fund=show(books.fund),
            owed=show(books.owed),
            period=jackpot.period,
            period_ends=_at(jackpot.began + length) if jackpot.period and length else None,
            to_beat=jackpot.slips[0].hand if jackpot.slips else "",
            training=training,
        )
    return found


def _dollars(amount: Money | None) -> str | None:
    return None if amount is None else show(amount)


def _gap(gap: PlayedWithout) -> Gap:
    return Gap(rounds=gap.rounds, reason=gap.reason, credential=gap.credential)


def device_document(device: Device, link: Link | None, *, training: bool = False) -> DeviceStatus:
    """Topic ``device/ID``."""
    health, description = device.health(), device.description
    state = None if link is None else link.state
    return DeviceStatus(
        id=device.id,
        kind=device.kind,
        connected=health.state is LinkState.UP,
        model=None if description is None else description.model,
        serial=None if description is None else description.serial,
        firmware=None if description is None else description.firmware,
        mode=Mode.UNKNOWN if state is None else state.mode,
        lamp=Lamp.UNKNOWN if state is None else state.lamp,
        blinking=state is not None and state.blinking,
        cards_inside=None if state is None else state.cards_inside,
        tamper=state is not None and state.tamper,
        fault=None if state is None else state.fault,
        retransmits=health.retransmits,
        bad_frames=health.bad_frames,
        round_trip_ms=health.round_trip_ms,
        training=training,
    )

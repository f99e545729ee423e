"""Decks that take turns in the shuffler, cards that are counted out of a device, and questions that a badge clears."""

from __future__ import annotations

from typing import Final

from tablectl.cards import Card
from tablectl.engine.background import Job, claim_of
from tablectl.engine.desk import Answer, Desk, Done, Instead, Performance, Taken
from tablectl.engine.incidents import SHUFFLER_FAULTS, shuffle_result
from tablectl.engine.inputs import CommandFailed, Input
from tablectl.engine.menu import DIGITS, ENTER, NO, Digits, Report
from tablectl.engine.performances.keys import CardKeys, key_of_press, lost_or, words
from tablectl.engine.performances.opening import ByBadge
from tablectl.engine.prompts import LINE, Prompt
from tablectl.equipment import (
    CardScanned,
    CardsEjected,
    CardUnreadable,
    EjectCards,
    Fault,
    Kind,
    ShuffleFailed,
    ShuffleFinished,
    StartShuffle,
)
from tablectl.procedure import instructions as acts

__all__ = ["ClearIt", "Load", "Name", "NameBoth", "PutRight", "Take", "account"]

_REASONS: Final = {
    "counted": "COUNTED",
    "put_right": "PUT RIGHT",
    "checked": "CHECKED",
    "put_back": "PUT BACK",
    "replace_card": "REPLACE",
    "deck_removed": "OUT",
}
_HOUR: Final = 60


# Turns --------------------------------------------------------------------------------------------------------------


class Load(Performance):
    """A deck is put into the shuffler: as the device says by itself, or the dealer. Its shuffle then goes on alone."""

    def __init__(self, act: acts.LoadShuffler, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._device = desk.picture.find(Kind.SHUFFLER)

    def begin(self) -> Answer:
        return self._loaded() if self._is_inside else Taken.HELD

    def offer(self, given: Input) -> Answer:
        if key_of_press(given) == "done" or (given.device == self._device and self._is_inside):
            return self._loaded()
        return Taken.IGNORED

    def report(self, report: Report) -> Answer:
        incident = report.incident
        act = acts.TakeShuffled(self._act.deck, self._act.back)
        result = shuffle_result(act, incident, counts=False)
        return Done(result) if isinstance(result, acts.OutOfService) else Taken.IGNORED

    def prompt(self) -> Prompt:
        back, out = _deck(self._act.back, self._act.deck), words(self._act.out)
        text = f"TAKE {out} OUT, PUT {back} IN: DONE" if out else f"{back} DECK INTO THE SHUFFLER: DONE"
        return Prompt(text, ("done",))

    @property
    def _is_inside(self) -> bool:
        """Whether the shuffler has told that cards were put in, and, where it counts, all of them."""
        picture = self._desk.picture
        if self._device is None or not picture.inserted:
            return False
        state = picture.links[self._device].state
        return state is None or state.cards_inside is None or state.cards_inside >= self._act.cards

    def _loaded(self) -> Answer:
        if self._device is not None:
            self._desk.picture.begin_shuffle(self._device, StartShuffle(), self._act.deck)
        return Done(None)


class Take(Performance):
    """A deck comes out of the shuffler: when that has said that it is shuffled, or as the dealer confirms.

    After a fault it waits until the dealer has put that right and says so.
    """

    def __init__(self, act: acts.TakeShuffled, desk: Desk) -> None:
        self._act = act
        self._desk = desk
        self._counts = desk.table.shuffler.counts
        self._device = desk.picture.find(Kind.SHUFFLER)

    def begin(self) -> Answer:
        if self._device is not None and self._job is None and not self._desk.shuffle_failed:
            self._start(self._device)
        return self._look(self._job)

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if self._device is None:
            whole = self._desk.table.game.deck if self._counts else None
            return Done(acts.Shuffled(whole)) if key == "shuffled" else Taken.IGNORED
        if key == "shuffle" and self._job is None:
            self._start(self._device)
            return Taken.HELD
        answer = self._look(self._job)
        return answer if isinstance(answer, Done) else Taken.IGNORED

    def report(self, report: Report) -> Answer:
        result = shuffle_result(self._act, report.incident, self._counts)
        if isinstance(result, acts.OutOfService) and result.device != "shuffler":
            return Done(result)  # another device: the shuffle goes on
        if result is not None and self._device is not None:
            self._desk.picture.jobs.end(self._device)
        return Taken.IGNORED if result is None else Done(result)

    def prompt(self) -> Prompt:
        back = _deck(self._act.back, self._act.deck)
        if self._device is None:
            return Prompt(f"SHUFFLER GREEN? TAKE {back} OUT: SHUFFLED", ("shuffled",))
        if self._job is None:
            return Prompt("SHUFFLER: PUT IT RIGHT, THEN SHUFFLE", ("shuffle",))
        return Prompt(lost_or(self._desk, self._device, f"SHUFFLING THE {back} DECK"))

    @property
    def _job(self) -> Job | None:
        return self._desk.picture.jobs.of(self._act.deck)

    def _start(self, device: str) -> None:
        self._desk.picture.begin_shuffle(device, StartShuffle(), self._act.deck)

    def _look(self, job: Job | None) -> Answer:
        """What has come of the shuffle, if anything has."""
        if job is None or not job.is_over:
            return Taken.HELD
        self._desk.picture.jobs.end(job.device)
        match job.answer:
            case ShuffleFinished(_command, cards):
                claim = None if job.claim is None else claim_of(Kind.SHUFFLER.value, job.claim, job.batch)
                return Done(acts.Shuffled(cards, claim))
            case ShuffleFailed(fault=Fault.JAM):
                kind = SHUFFLER_FAULTS[0]
            case _:
                kind = SHUFFLER_FAULTS[1]
        self._desk.shuffle_failed = True
        return Done(acts.ShuffleFault(kind))


# Cards inside -------------------------------------------------------------------------------------------------------


class CountOut(Performance):
    """The dealer takes all cards out of a device and keys how many the deck has then."""

    def __init__(self, act: acts.AccountFor, desk: Desk) -> None:
        self._act = act
        self._digits = Digits(most=3)

    def offer(self, given: Input) -> Answer:
        key = key_of_press(given)
        if key is None:
            return Taken.IGNORED
        if self._digits.key(key):
            return Taken.HELD
        if key != ENTER or self._digits.value is None:
            return Taken.IGNORED
        return Done(acts.Accounted(self._digits.value, "dealer"))

    def prompt(self) -> Prompt:
        return Prompt(f"COUNT THE {words(self._act.back)} DECK TAKEN OUT: {self._digits.text}_", (*DIGITS, ENTER))


class Eject(Performance):
    """The device gives out all cards, and says how many; unless that is the whole deck, the dealer counts."""

    def __init__(self, act: acts.AccountFor, desk: Desk, device: str) -> None:
        self._act = act
        self._desk = desk
        self._command_id = 0
        self.command = (device, EjectCards())

    def intended(self, command_id: int) -> None:
        self._command_id = command_id

    def offer(self, given: Input) -> Answer:
        match given.message:
            case CardsEjected(command, cards) if command == self._command_id and cards == self._act.expected:
                return Done(acts.Accounted(cards, "device"))
            case CardsEjected(command) | CommandFailed(command) if command == self._command_id:
                return self._by_hand(given)
            case _ if key_of_press(given) in (*DIGITS, ENTER):
                return self._by_hand(given)
            case _:
                return Taken.IGNORED

    def prompt(self) -> Prompt:
        return Prompt(f"COUNT THE {words(self._act.back)} DECK TAKEN OUT: _", (*DIGITS, ENTER))

    def _by_hand(self, given: Input) -> Answer:
        count = CountOut(self._act, self._desk)
        count.offer(given)
        return Instead(count)


def account(act: acts.AccountFor, desk: Desk) -> Performance:
    """Cards are given out by the device where it is there, else taken out and counted."""
    device = desk.picture.find(Kind(act.device))
    if device is None or not desk.picture.links[device].up:
        return CountOut(act, desk)
    desk.picture.jobs.end(device)
    return Eject(act, desk, device)


# Questions ----------------------------------------------------------------------------------------------------------


class ClearIt(ByBadge):
    """An open question of a deck: a floorperson's badge, then the key of a reason."""

    def __init__(self, act: acts.ClearQuestion, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._keys = {f"digit_{number}": reason for number, reason in enumerate(act.reasons, 1)}

    def offer(self, given: Input) -> Answer:
        if self._badge(given):
            return Taken.HELD
        reason = self._keys.get(key_of_press(given) or "")
        if reason is None or not self._credential:
            return Taken.IGNORED
        return Done(acts.QuestionCleared(self._credential, reason))

    def prompt(self) -> Prompt:
        asked, minutes = self._act.question, self._act.minutes
        if not self._credential:
            named = "".join(f" {card}" for card in asked.cards) if len(asked.cards) == 1 else ""
            what = f"{asked.deck} {asked.what}{named}"
            age = f" {minutes} MIN" if minutes < _HOUR else f" {minutes // _HOUR} H"
            text = f"{words(what)}{age if minutes else ''}: BADGE"
            return Prompt(text if len(text) <= LINE else f"{words(what)}: BADGE", self._floor_keys)
        named = " ".join(f"{number} {_REASONS[reason]}" for number, reason in enumerate(self._act.reasons, 1))
        return Prompt(named, tuple(self._keys))


class PutRight(ByBadge):
    """A device that the game cannot do without: a floorperson's badge says that it was repaired or replaced."""

    _KEYS: Final = {"digit_1": "repaired", "digit_2": "replaced"}

    def __init__(self, act: acts.Repair, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act

    def offer(self, given: Input) -> Answer:
        if self._badge(given):
            return Taken.HELD
        reason = self._KEYS.get(key_of_press(given) or "")
        if reason is None or not self._credential:
            return Taken.IGNORED
        return Done(acts.Repaired(self._credential, reason))

    def prompt(self) -> Prompt:
        if not self._credential:
            return Prompt(f"{words(self._act.fault)}: FLOORPERSON'S BADGE", self._floor_keys)
        return Prompt(f"{words(self._act.device)}: 1 REPAIRED 2 NEW", tuple(self._KEYS))


# Single cards -------------------------------------------------------------------------------------------------------


class _ByCard(Performance):
    """Something for which cards are named: shown to the scanner, or keyed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._keys = CardKeys(desk)

    def _card(self, given: Input) -> Card | None:
        """The card that is named by this input, if it is."""
        if isinstance(given.message, CardScanned):
            return given.message.card
        return self._keys.key(key_of_press(given))

    def _is_of_use(self, given: Input) -> Answer:
        if isinstance(given.message, CardUnreadable):
            self._desk.notice = "NOT READABLE: KEY THE CARD"
            return Taken.HELD
        return Taken.HELD if self._keys.begun(key_of_press(given)) else Taken.IGNORED


class Name(_ByCard):
    """The card that is taken out of the deck; the key NO says that nobody can tell any more which one it was."""

    def __init__(self, act: acts.NameCard, desk: Desk) -> None:
        super().__init__(desk)

    def offer(self, given: Input) -> Answer:
        named = self._card(given)
        if named is not None or key_of_press(given) == NO:
            return Done(acts.NamedCard(named))
        return self._is_of_use(given)

    def prompt(self) -> Prompt:
        return Prompt("WHICH CARD IS SET ASIDE? NO: CANNOT TELL", (*self._keys.lit, NO))


class NameBoth(_ByCard):
    """The missing card, then the one that takes its place, then the colour of that one's back."""

    def __init__(self, act: acts.NameReplacement, desk: Desk) -> None:
        super().__init__(desk)
        self._act = act
        self._named: list[Card] = []
        self._backs = {f"digit_{number}": back for number, back in enumerate(act.backs, 1)}

    def offer(self, given: Input) -> Answer:
        if len(self._named) == 2:
            back, (missing, new) = self._backs.get(key_of_press(given) or ""), self._named
            return Taken.IGNORED if back is None else Done(acts.Replacement(missing, new, back))
        named = self._card(given)
        if named is None:
            return self._is_of_use(given)
        self._named.append(named)
        return Taken.HELD

    def prompt(self) -> Prompt:
        if len(self._named) == 2:
            named = " ".join(f"{number} {words(back)}" for number, back in enumerate(self._act.backs, 1))
            return Prompt(f"ITS BACK: {named}", tuple(self._backs))
        if self._named:
            return Prompt(f"CARD THAT REPLACES {words(str(self._named[0]))}", self._keys.lit)
        known = " ".join(words(str(missing)) for missing in self._act.missing)
        return Prompt(f"WHICH CARD IS MISSING? {known}".rstrip(), self._keys.lit)


def _deck(back: str, deck: str) -> str:
    """What a deck is called: by its back, which everybody sees."""
    return words(back or deck)

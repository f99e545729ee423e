"""One round as a page for the terminal, and as JSON: hands, decisions, wagers, irregularities, each with its time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from tablectl import events as e
from tablectl.cards import Card
from tablectl.engine.outcome import row_document
from tablectl.engine.roundpage import Recorded, RoundPage
from tablectl.money import Money, show

__all__ = ["page_document", "page_text"]


def page_document(page: RoundPage) -> dict[str, Any]:
    """The round as JSON: times in UTC, money in dollars, settlements and corrections with the number of their record.

    `standing` are wagers without a settlement, `net` what each seat has won or lost, corrections included; None where
    amounts are not known.
    """
    closed = page.closed
    wagers = [{"record": row.sequence, **row_document(row.settled)} for row in page.settled()]
    corrections = [_correction(r, r.event) for r in page.corrections if isinstance(r.event, e.PaymentCorrected)]
    return {
        "round": page.number,
        "game": page.opened.game,
        "training": page.training,
        "dealer": page.dealer or None,
        "deck": page.opened.deck,
        "dealing": page.opened.dealing,
        "shuffler": page.opened.shuffler,
        "opened": page.time_of(e.RoundOpened),
        "locked": page.time_of(e.BettingLocked),
        "closed": page.time_of(e.RoundClosed),
        "outcome": None if closed is None else closed.outcome.value,
        "cause": None if closed is None else closed.cause,
        "cite": None if closed is None else closed.cite,
        "disposition": None if closed is None else closed.disposition.value,
        **_happened(page),
        "wagers": wagers,
        "standing": [
            {"seat": w.seat, "wager": w.wager, "hand": w.hand, "amount": _money(w.amount)} for w in page.standing()
        ],
        "corrections": corrections,
        "net": _net(page),
    }


_LISTS: Final = (
    "placed",
    "cards",
    "dice",
    "numbers",
    "hands",
    "set",
    "announced",
    "decisions",
    "peeked",
    "counted",
    "irregularities",
)
_OF_POTS: Final = ("stacks", "button", "posted", "returned", "conceded", "pots")


def _happened(page: RoundPage) -> dict[str, Any]:
    """What happened, each kind of it in a list with its times; what only a game for pots has is left out elsewhere."""
    lists: dict[str, list[dict[str, Any]]] = {name: [] for name in (*_LISTS, *_OF_POTS)}
    for recorded in page.events:
        told = _told(recorded.event) or _told_of_pots(recorded.event)
        if told is not None:
            name, facts = told
            lists[name].append({"time": recorded.time, **facts})
    for share in [recorded.event for recorded in page.events if isinstance(recorded.event, e.PotAwarded)]:
        of_it = next(pot for pot in reversed(lists["pots"]) if pot["pot"] == share.pot)
        awarded = {"seat": share.seat, "part": share.part, "amount": show(share.amount), "cite": share.cite}
        of_it["shares"].append(awarded)
    return lists if lists["stacks"] else {name: lists[name] for name in _LISTS}


def _told(event: e.Event) -> tuple[str, dict[str, Any]] | None:
    """Where an event belongs, and what it says."""
    match event:
        case e.WagerMade(seat, wager, hand, amount):
            return "placed", {"seat": seat, "wager": wager, "hand": hand, "amount": _money(amount)}
        case e.CardDealt(number, to, card):
            return "cards", {"number": number, "to": str(to), "card": None if card is None else card.name}
        case e.DiceThrown(number, faces, incident):
            return "dice", {"throw": number, "faces": list(faces), "incident": incident}
        case e.NumberChosen(number):
            return "numbers", {"number": number}
        case e.CardsExposed(position, place, shown):
            return "hands", {"position": str(position), "place": place, "cards": _names(shown)}
        case e.HandShown(seat, shown):
            return "hands", {"position": f"seat {seat}", "place": 0, "cards": _names(shown)}
        case e.HandsSet(position, high, low, clause):
            return "set", {"position": str(position), "high": _names(high), "low": _names(low), "cite": clause}
        case e.HandAnnounced(position, hand_words):
            return "announced", {"position": str(position), "hand": hand_words}
        case e.HandDeclared(seat, what):
            return "announced", {"position": f"seat {seat}", "hand": what}
        case e.SeatDecided(seat, verb, amount, chosen):
            return "decisions", {"seat": seat, "verb": verb, "amount": _money(amount), "cards": _names(chosen)}
        case e.HoleCardPeeked(blackjack):
            return "peeked", {"blackjack": blackjack}
        case e.CardsCounted(what, total):
            return "counted", {"what": what, "total": total}
        case e.IrregularityNoted() as noted:
            where = None if noted.position is None else str(noted.position)
            facts = {"kind": noted.kind, "position": where, "cite": noted.cite, "remedies": list(noted.remedies)}
            return "irregularities", facts
        case _:
            return None


def _told_of_pots(event: e.Event) -> tuple[str, dict[str, Any]] | None:
    match event:
        case e.PlayerSeated(seat, stack):
            return "stacks", {"seat": seat, "amount": show(stack)}
        case e.ButtonCardShown(seat, card):
            return "button", {"seat": seat, "card": card.name, "cite": None}
        case e.ButtonPlaced(seat, clause):
            return "button", {"seat": seat, "card": None, "cite": clause}
        case e.BetPosted(seat, bet, amount, clause):
            return "posted", {"seat": seat, "bet": bet, "amount": show(amount), "cite": clause}
        case e.BetReturned(seat, amount, clause):
            return "returned", {"seat": seat, "amount": show(amount), "cite": clause}
        case e.HandConceded(seat):
            return "conceded", {"seat": seat}
        case e.PotFormed(pot, seats, amount, rake, bad_beat, high_hand):
            taken = {"rake": show(rake), "bad_beat": show(bad_beat), "high_hand": show(high_hand)}
            return "pots", {"pot": pot, "seats": list(seats), "amount": show(amount), **taken, "shares": []}
        case _:
            return None


def _names(cards: Iterable[Card]) -> list[str]:
    return [card.name for card in cards]


def _correction(recorded: Recorded, event: e.PaymentCorrected) -> dict[str, Any]:
    return {
        "record": recorded.sequence,
        "corrects": event.corrects,
        "time": recorded.time,
        "seat": event.seat,
        "wager": event.wager,
        "hand": event.hand,
        "paid": show(event.paid),
        "collected": show(event.collected),
        "credential": event.credential,
    }


def _net(page: RoundPage) -> dict[str, str | None]:
    """What each seat has won or lost; None where an amount is not known."""
    changes = [(row.settled.seat, row.settled.paid, row.settled.collected) for row in page.settled()]
    later = [recorded.event for recorded in page.corrections]
    changes += [(x.seat, x.paid, x.collected) for x in later if isinstance(x, e.PaymentCorrected)]
    totals: dict[int, int | None] = {}
    for seat, paid, collected in changes:
        before = totals.get(seat, 0)
        if before is None or paid is None or collected is None:
            totals[seat] = None
        else:
            totals[seat] = before + paid - collected
    return {str(seat): None if total is None else show(Money(total)) for seat, total in sorted(totals.items())}


def _money(amount: Money | None) -> str | None:
    return None if amount is None else show(amount)


# Text -----------------------------------------------------------------------------------------------------------------


def page_text(document: dict[str, Any]) -> str:
    """The document as a page."""
    return "\n".join(_lines(document))


def _lines(d: dict[str, Any]) -> Iterator[str]:
    mark = "TRAINING, nothing of it is real play. " if d["training"] else ""
    yield f"{mark}Round {d['round']}, {d['game']}"
    yield f"  deck {d['deck']}, {d['dealing']}, shuffler {d['shuffler']}, dealer {d['dealer'] or 'not known'}"
    for what in ("opened", "locked", "closed"):
        yield f"  {what:<7} {d[what] or '-'}"
    yield ""
    yield from _section("Stacks", d.get("stacks", ()), lambda x: f"seat {x['seat']} {x['amount']}")
    yield from _section("Button", d.get("button", ()), lambda x: f"seat {x['seat']} {x['card'] or ''}")
    yield from _section("Bets that have to be placed", d.get("posted", ()), _posted)
    yield from _section("Wagers placed", d["placed"], _placed)
    yield from _section("Numbers shown", d["numbers"], lambda x: f"{x['number']}")
    yield from _section("Throws", d["dice"], _throw)
    yield from _section("Hole card in the reader", d["peeked"], lambda x: "Blackjack" if x["blackjack"] else "none")
    yield from _section("Hands, as they were turned up", d["hands"], _hand)
    yield from _section("Hands, as they were set", d["set"], _set)
    yield from _section("Conceded", d.get("conceded", ()), lambda x: f"seat {x['seat']}")
    yield from _section("Announced", d["announced"], lambda x: f"{x['position']:<11} {x['hand']}")
    yield from _section("Decisions", d["decisions"], _decision)
    yield from _section("Cards counted", d["counted"], lambda x: f"{x['what']} {x['total']}")
    yield from _section("Irregularities", d["irregularities"], _irregularity)
    yield from _section("Bets given back", d.get("returned", ()), lambda x: f"seat {x['seat']} {x['amount']}")
    yield from _section("Pots", d.get("pots", ()), _pot)
    if d["wagers"]:
        yield "Settled"
        yield from _table(d["wagers"])
        yield ""
    yield from _section("Not settled", d["standing"], lambda w: f"seat {w['seat']} {_wager(w)} {w['amount'] or ''}")
    yield from _section("Put right later", d["corrections"], _corrected)
    yield f"Outcome: {d['outcome'] or 'not closed yet'}{_why(d)}"
    net = ", ".join(f"seat {seat} {amount or 'not known'}" for seat, amount in d["net"].items())
    if net:
        yield f"Net: {net}"


def _section(title: str, items: Sequence[dict[str, Any]], words: Any) -> Iterator[str]:
    if not items:
        return
    yield title
    for item in items:
        time = f"{item['time'][11:]}  " if "time" in item else ""
        yield f"  {time}{words(item)}".rstrip()
    yield ""


def _placed(item: dict[str, Any]) -> str:
    return f"seat {item['seat']} {_wager(item)} {item['amount'] or ''}"


def _hand(item: dict[str, Any]) -> str:
    place = f" {item['place']}" if item["place"] else ""
    return f"{item['position'] + place:<11} {' '.join(item['cards'])}"


def _posted(item: dict[str, Any]) -> str:
    return f"seat {item['seat']} {item['bet']} {item['amount']}"


def _throw(item: dict[str, Any]) -> str:
    return f"{item['throw']}: {' '.join(map(str, item['faces']))} {item['incident'] or ''}"


def _set(item: dict[str, Any]) -> str:
    return f"{item['position']:<11} high {' '.join(item['high'])}, low {' '.join(item['low'])}"


def _pot(item: dict[str, Any]) -> str:
    names = {"rake": "rake", "bad_beat": "Bad Beat", "high_hand": "High Hand"}
    taken = [f"{word} {item[name]}" for name, word in names.items() if item[name] != "0.00"]
    shares = [f"seat {x['seat']} {x['part']} {x['amount']}" for x in item["shares"]]
    among = f"seats {' '.join(map(str, item['seats']))}"
    return "; ".join((f"{item['pot']} {item['amount']}", among, *taken, *shares))


def _decision(item: dict[str, Any]) -> str:
    more = " ".join(part for part in (item["amount"], *item["cards"]) if part)
    return f"seat {item['seat']} {item['verb']} {more}"


def _irregularity(item: dict[str, Any]) -> str:
    parts = [item["kind"], item["position"], item["cite"], ", ".join(item["remedies"])]
    return "  ".join(part for part in parts if part)


def _corrected(item: dict[str, Any]) -> str:
    change = f"paid {item['paid']}" if item["paid"] != "0.00" else f"taken back {item['collected']}"
    by = f"approved by {item['credential']}"
    return f"seat {item['seat']} {_wager(item)} {change}, {by}, corrects record {item['corrects']}"


def _wager(item: dict[str, Any]) -> str:
    return f"{item['wager']}{' ' + str(item['hand']) if item['hand'] else ''}"


def _why(d: dict[str, Any]) -> str:
    return f" ({' '.join(part for part in (d['cause'], d['cite']) if part)})" if d["cause"] else ""


def _table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    names = ("record", "seat", "wager", "staked", "result", "odds", "paid", "returned", "collected", "cite")
    cells = [names, *((*(str(_cell(row, name)) for name in names),) for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(names))]
    for line in cells:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _cell(row: dict[str, Any], name: str) -> object:
    if name == "wager":
        return _wager(row)
    return "-" if row[name] is None else row[name]

"""One round as a page for the terminal, and as JSON: hands, decisions, wagers, irregularities, each with its time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tablectl import events as e
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


def _happened(page: RoundPage) -> dict[str, Any]:
    lists: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("placed", "cards", "hands", "decisions", "irregularities")
    }
    for recorded in page.events:
        match recorded.event:
            case e.WagerMade(seat, wager, hand, amount):
                placed = {"seat": seat, "wager": wager, "hand": hand, "amount": _money(amount)}
                lists["placed"].append({"time": recorded.time, **placed})
            case e.CardDealt(number, to, card):
                dealt = {"number": number, "to": str(to), "card": None if card is None else card.name}
                lists["cards"].append({"time": recorded.time, **dealt})
            case e.CardsExposed(position, place, shown):
                hand_shown = {"position": str(position), "place": place, "cards": [card.name for card in shown]}
                lists["hands"].append({"time": recorded.time, **hand_shown})
            case e.SeatDecided(seat, verb, amount, chosen):
                names = [card.name for card in chosen]
                decided = {"seat": seat, "verb": verb, "amount": _money(amount), "cards": names}
                lists["decisions"].append({"time": recorded.time, **decided})
            case e.IrregularityNoted() as noted:
                where = None if noted.position is None else str(noted.position)
                said = {"kind": noted.kind, "position": where, "cite": noted.cite, "remedies": list(noted.remedies)}
                lists["irregularities"].append({"time": recorded.time, **said})
            case _:
                pass
    return lists


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
    yield from _section("Wagers placed", d["placed"], _placed)
    yield from _section("Hands, as they were turned up", d["hands"], _hand)
    yield from _section("Decisions", d["decisions"], _decision)
    yield from _section("Irregularities", d["irregularities"], _irregularity)
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

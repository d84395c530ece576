"""What is owed, statuses and endings, and what followed from a step by itself, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.ruling import Citation
from engine.sonae.pools import CLOSING, COMMAND, MORALE, RANGED, REPORT
from engine.sonae.position import STATUSES, Due, Position, Unit
from engine.sonae.steps import Advance, Agreed, FallBack, Step, Wheel
from engine.words import count_words, join_words, mark, say

_DUES = {
    "settle": mark("{who} chooses whether the general is Encamped or Mobile"),
    "messenger": mark("{who} rolls for the messenger"),
    "intercept": mark("{who} rolls against the messenger"),
    "token": mark("draw a token from the bag"),
    "activate": mark("{who} chooses a division to activate"),
    "orders": mark("{who} rolls one die for orders"),
    "fire": mark("{who} rolls for {units} firing at {against}"),
    "reply": mark("{who} rolls for {units} firing back at {against}"),
    "morale": mark("{who} tests Morale for {units}"),
    "opportunity": mark("{who} decides whether {units} uses Opportunity Fire on {against}"),
    "opportunity-fire": mark("{who} rolls Opportunity Fire from {units} at {against}"),
    "nerve": mark("{who} tests Morale for {units} before the charge"),
    "closing": mark("{who} decides whether {units} uses Closing Fire on {against}"),
    "closing-fire": mark("{who} rolls Closing Fire from {units} at {against}"),
    "closing-morale": mark("{who} tests Morale for {units} under Closing Fire"),
    "retreat": mark("{who} tests Morale for {units} after falling back from combat"),
    "strain": mark("{who} tests Morale for {units} after so many orders"),
    "rally": mark("{who} rolls to rally {units}"),
    "melee": mark("{who} rolls Melee for {units} against {against}"),
    "blocked": mark("{who} tests Morale for {units}, unable to fall back"),
    "shock": mark("{who} rolls Shock for {units} against {against}"),
    "heir": mark("{who} tests whether {units} takes over as commander"),
    "regent": mark("{who} tests whether {units} takes over as Army General"),
    "loyalty": mark("{who} tests the loyalty of {units} after losing its commander"),
}
_REASONS = {
    "": "",
    "general": mark("the enemy Army General fell"),
    "army": mark("the enemy has no units left"),
    "objective": mark("held the objective at the end"),
    "strength": mark("nobody held the objective; more units left"),
    "agreed": mark("agreed by the players"),
}
REASONS = tuple(_REASONS)
STATUS_WORDS = {"fresh": mark("fresh"), "wavering": mark("wavering"), "brittle": mark("brittle")}


def due_words(position: Position, due: Due) -> str:
    """Return one thing that the table owes as a sentence."""
    who = say(position.scenario.armies[due.by].title) if due.by >= 0 else ""
    kinds = position.scenario.units  # a messenger goes to a division, which has its name alone
    units, against = (
        join_words(say(kinds[name].title) if name in kinds else name for name in names) if names else ""
        for names in (due.units, due.against)
    )
    return say(_DUES[due.kind], who=who, units=units, against=against)


def reason_words(reason: str) -> str:
    """Return in words why the battle ended."""
    return say(_REASONS[reason])


# --- what followed from a step: worked out from the positions before and after it ----------

_WORDS = {
    "worse": mark("{unit} is now {status}"),
    "better": mark("{unit} rallies and is now {status}"),
    "fatigued": mark("{unit} is fatigued by too many orders: no action in its next activation"),
    "worn": mark("{unit} is fatigued by winning Shock with a single success: no action in its next activation"),
    "delayed": mark("{unit} has one die fewer in the next round of Melee: it used Closing Fire"),
    "back": mark("{unit} is driven back"),
    "charge": mark("{unit} charged: one extra die in the first round of Melee"),
    "lost": mark("{unit} leaves the battle"),
    "heir": mark("{unit} takes over from {was}"),
    "message": mark("the messenger reaches {division}: add the general's Authority in its next activation"),
    "orders": mark("{division} has {n_order}"),
    "bonus": mark("{unit} gets a bonus order"),
    "over": mark("{division}'s activation ends"),
    "turn": mark("turn {n} begins"),
    "won": mark("{who} wins: {reason}"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that came of a step: its kind, the unit it is about ("" for none), a sentence, and where it is from."""

    kind: str
    unit: str
    text: str
    citation: Citation


def changes(before: Position, after: Position, step: Step) -> tuple[Change, ...]:
    """List each thing that followed from a step, the units first; nothing for what the players agreed on."""
    if isinstance(step, Agreed):
        return ()
    return (*_units(before, after, step), *_command(before, after), *_end(before, after))


def _change(kind: str, citation: Citation, about: str = "", /, **facts: object) -> Change:
    return Change(kind, about, say(_WORDS[kind], **facts), citation)


def _units(before: Position, after: Position, step: Step) -> Iterator[Change]:
    moved = step.unit if isinstance(step, Advance | FallBack | Wheel) else ""
    for was in before.units:
        now, title = after.unit(was.name), before.scenario.units[was.name].title
        if now is None:
            yield _change("lost", _why_lost(before, after, was), was.name, unit=title)
            continue
        yield from _status(was, now, title)
        if now.fatigue and not was.fatigue:
            word, citation = ("worn", CLOSING) if tired_by_shock(before, was.name) else ("fatigued", COMMAND)
            yield Change("fatigued", was.name, say(_WORDS[word], unit=title), citation)
        if now.place != was.place and now.charged <= was.charged and was.name != moved:
            yield _change("back", CLOSING, was.name, unit=title)
        for kind in ("charge", "delayed"):
            flag = {"charge": "charged"}.get(kind, kind)
            if getattr(now, flag) and not getattr(was, flag):
                yield _change(kind, CLOSING, was.name, unit=title)


def _why_lost(before: Position, after: Position, unit: Unit) -> Citation:
    """Return the section by which a unit was lost: destroyed by Shock, gone with its commander, or broken."""
    leader = before.leader(before.division(unit.name).name)
    followed = leader is not None and leader.name != unit.name and after.unit(leader.name) is None
    rolled = before.due[0].kind if before.due else ""
    if followed or rolled == "loyalty":
        return COMMAND
    return CLOSING if rolled == "shock" else RANGED


def _status(was: Unit, now: Unit, title: str) -> Iterator[Change]:
    worse = STATUSES.index(now.status) - STATUSES.index(was.status)
    if worse:
        kind, citation = ("worse", RANGED) if worse > 0 else ("better", MORALE)
        yield _change(kind, citation, was.name, unit=title, status=say(STATUS_WORDS[now.status]))


def tired_by_shock(before: Position, unit: str) -> bool:
    """Return whether a unit is fatigued by the Shock that was owed before, not by its orders."""
    return bool(before.due) and before.due[0].kind == "shock" and unit in before.due[0].units


def _command(before: Position, after: Position) -> Iterator[Change]:
    scenario = after.scenario
    for was, heir in after.heirs[len(before.heirs) :]:
        yield _change("heir", COMMAND, heir, unit=scenario.units[heir].title, was=scenario.units[was].title)
    for name in after.messages[len(before.messages) :]:
        yield _change("message", COMMAND, division=scenario.divisions[name].title)
    rolled_orders = bool(before.due) and before.due[0].kind == "orders"
    if rolled_orders and after.acting == before.acting:
        title, number = scenario.divisions[after.acting].title, count_words(after.orders, "order")
        yield _change("orders", COMMAND, division=title, n_order=number)
    if after.bonus and after.bonus != before.bonus:
        yield from (_change("bonus", CLOSING, name, unit=scenario.units[name].title) for name in after.bonus)
    if before.acting and after.acting != before.acting:
        yield _change("over", COMMAND, division=scenario.divisions[before.acting].title)


def _end(before: Position, after: Position) -> Iterator[Change]:
    if after.winner is not None and before.winner is None:
        who = after.scenario.armies[after.winner].title
        yield _change("won", REPORT, who=who, reason=reason_words(after.reason))
    elif after.turn != before.turn:
        yield _change("turn", COMMAND, n=after.turn)

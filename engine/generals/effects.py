"""What happens to cards: drawn, sent to the expended zone, defeated; and the verbs of effects that use this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.generals.cards import VERBS, Effect
from engine.generals.position import FACING, SIDES, Fighter, Position, Side
from engine.generals.told import zone_words
from engine.ruling import Hearing
from engine.words import mark, say


@dataclass(frozen=True, slots=True)
class Deed:
    """An effect as it is used: by whom (index), of which card, and the generals it names by label, "" for none."""

    by: int
    card: str
    effect: Effect
    general: str = ""
    target: str = ""


# --- cards that go somewhere ------------------------------------------------------------


def lost(position: Position, index: int, reason: str) -> Position:
    """The game ends because a side cannot do what it has to (Winning Criteria)."""
    return replace(position, winner=1 - index, reason=reason)


def drawn(position: Position, index: int, n: int) -> Position:
    """Cards from the resources to the hand; too few end the game (Winning Criteria 1)."""
    side = position.sides[index]
    if side.resources < n:
        return lost(position, index, "draw")
    return position.with_side(index, replace(side, resources=side.resources - n, hand=side.hand + n))


def spent(position: Position, index: int, n: int, reason: str) -> Position:
    """Cards from the resources to the expended zone; too few end the game (Winning Criteria 2 and 3)."""
    side = position.sides[index]
    n, short = min(n, side.resources), side.resources < n
    after = position.with_side(index, replace(side, resources=side.resources - n, expended=side.expended + n))
    return lost(after, index, reason) if short else after


def discarded(position: Position, index: int, n: int) -> Position:
    """Cards from the hand to the expended zone, as many as there are."""
    side = position.sides[index]
    n = min(n, side.hand)
    return position.with_side(index, replace(side, hand=side.hand - n, expended=side.expended + n))


def removed(side: Side, fighter: Fighter) -> Side:
    """A general leaves the battlefield: its equipment goes to the expended zone (Game Play 11a)."""
    return replace(
        side,
        fighters=tuple(one for one in side.fighters if one is not fighter),
        expended=side.expended + len(fighter.equipment),
        seen=(*side.seen, *fighter.equipment),
    )


def defeated(position: Position, index: int, fighter: Fighter) -> Position:
    """A general goes to its own defeated zone."""
    side = removed(position.sides[index], fighter)
    return position.with_side(index, replace(side, defeated=(*side.defeated, fighter.card)))


def changed(position: Position, index: int, fighter: Fighter, **changes: Any) -> Position:
    """A general with some of its values changed."""
    side = position.sides[index]
    fighters = tuple(replace(one, **changes) if one is fighter else one for one in side.fighters)
    return position.with_side(index, replace(side, fighters=fighters))


def together(one: Fighter, other: Fighter) -> bool:
    """Whether generals of opposing sides stand in the same zone."""
    return FACING.get(one.zone) == other.zone


# --- effects ----------------------------------------------------------------------------


def judge_deed(hearing: Hearing, position: Position, deed: Deed) -> None:
    """Whether what an effect is about is named, is there, and can be reached."""
    needs = VERBS[deed.effect.verb]
    named = {"general": deed.general, "target": deed.target}
    wrong = [what for what, label in named.items() if bool(label) != (what in needs)]
    if not hearing.weigh("effect.needs", not wrong, wanted=_wanted(wrong, needs)):
        return
    own = position.sides[deed.by].fighter(deed.general)
    other = position.sides[1 - deed.by].fighter(deed.target)
    if deed.general:
        hearing.weigh("general.known", own is not None, general=deed.general, who=SIDES[deed.by])
    if deed.target:
        hearing.weigh("attack.target", other is not None, target=deed.target, who=SIDES[1 - deed.by])
    if own is not None and other is not None:
        where = zone_words(own.zone)
        there = together(own, other)
        hearing.weigh("effect.strike-zone", there, general=deed.general, target=deed.target, where=where)


_WANTED = {
    ("general", True): mark("names one of your generals"),
    ("target", True): mark("names an opposing general"),
    ("general", False): mark("names no general of yours"),
    ("target", False): mark("names no opposing general"),
}


def _wanted(wrong: list[str], needs: tuple[str, ...]) -> str:
    return say(_WANTED[wrong[0], wrong[0] in needs]) if wrong else ""


def perform_deed(position: Position, deed: Deed) -> Position:
    """Carry out an effect that was judged legal; what only the players can resolve changes nothing."""
    return _PERFORM[deed.effect.verb](position, deed)


def _own(position: Position, deed: Deed) -> Fighter:
    fighter = position.sides[deed.by].fighter(deed.general)
    assert fighter is not None
    return fighter


def _other(position: Position, deed: Deed) -> Fighter:
    fighter = position.sides[1 - deed.by].fighter(deed.target)
    assert fighter is not None
    return fighter


def _more(position: Position, deed: Deed) -> Position:
    """More points of the form that the verb names, until the end of the turn."""
    fighter, form = _own(position, deed), deed.effect.verb
    return changed(position, deed.by, fighter, **{form: getattr(fighter, form) + deed.effect.amount})


def _withdraw(position: Position, deed: Deed) -> Position:
    fighter, index = _other(position, deed), 1 - deed.by
    side = removed(position.sides[index], fighter)
    return position.with_side(index, replace(side, hand=side.hand + 1))


def _strike(position: Position, deed: Deed) -> Position:
    """An intelligence attack: the target is defeated where it has less (Game Play 14)."""
    fighter, target = _own(position, deed), _other(position, deed)
    mine = position.points(deed.by, fighter, "intelligence")
    theirs = position.points(1 - deed.by, target, "intelligence")
    return defeated(position, 1 - deed.by, target) if mine > theirs else position


def _win(position: Position, deed: Deed) -> Position:
    return replace(position, winner=deed.by, reason="card")


_PERFORM: dict[str, Callable[[Position, Deed], Position]] = {
    "draw": lambda position, deed: drawn(position, deed.by, deed.effect.amount),
    "damage": lambda position, deed: spent(position, 1 - deed.by, deed.effect.amount, "damage"),
    "discard": lambda position, deed: discarded(position, 1 - deed.by, deed.effect.amount),
    "win": _win,
    "table": lambda position, deed: position,
    "military": _more,
    "intelligence": _more,
    "ready": lambda position, deed: changed(position, deed.by, _own(position, deed), acted=False, fresh=False),
    "withdraw": _withdraw,
    "defeat": lambda position, deed: defeated(position, 1 - deed.by, _other(position, deed)),
    "strike": _strike,
}

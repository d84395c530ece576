"""What happens to cards: drawn, sent to the expended zone, defeated; and the verbs of effects that use this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.generals.cards import VERBS, Effect
from engine.generals.position import FACING, SIDES, Fighter, Position, Side
from engine.generals.tally import falls_short, points_of
from engine.generals.words import zone_words
from engine.ruling import Hearing
from engine.words import mark, say


@dataclass(frozen=True, slots=True)
class Deed:
    """An effect as it is used: by whom (index), and the generals it names by label, "" for none.

    activated: it is a general's special effect, not a card's.
    """

    by: int
    effect: Effect
    general: str = ""
    target: str = ""
    activated: bool = False


Take = Callable[[Position, int, int], Position]

# --- cards that go somewhere ------------------------------------------------------------


def draw(position: Position, index: int, n: int) -> Position:
    """Move `n` cards, or all if there are fewer, from a side's resources to its hand."""
    return _carry(position, index, ("resources", "hand"), n)


def spend(position: Position, index: int, n: int) -> Position:
    """Move `n` cards, or all if there are fewer, from a side's resources to its expended zone."""
    return _carry(position, index, ("resources", "expended"), n)


def discard(position: Position, index: int, n: int) -> Position:
    """Move `n` cards, or all if there are fewer, from a side's hand to its expended zone."""
    return _carry(position, index, ("hand", "expended"), n)


def _carry(position: Position, index: int, way: tuple[str, str], n: int) -> Position:
    side, (source, goal) = position.sides[index], way
    n = min(n, getattr(side, source))
    piles = {source: getattr(side, source) - n, goal: getattr(side, goal) + n}
    return position.with_side(index, replace(side, **piles))


def take_owed(take: Take, position: Position, index: int, n: int, reason: str) -> Position:
    """Draw or spend by `take` the cards that a side has to; with too few it loses (Winning Criteria 1 to 3)."""
    after = take(position, index, n)
    return replace(after, winner=1 - index, reason=reason) if n and falls_short(position, index, n) else after


def discard_equipment(side: Side, fighter: Fighter) -> Side:
    """Return the side with a general's equipment in its expended zone, where all have seen it."""
    worn = fighter.equipment
    return replace(side, expended=side.expended + len(worn), seen=(*side.seen, *worn))


def remove_general(side: Side, fighter: Fighter) -> Side:
    """Return the side without a general, whose equipment goes to the expended zone (Game Play 11a)."""
    return replace(
        discard_equipment(side, fighter), fighters=tuple(other for other in side.fighters if other is not fighter)
    )


def defeat_general(position: Position, index: int, fighter: Fighter) -> Position:
    """Send a general to its own side's defeated zone."""
    side = remove_general(position.sides[index], fighter)
    return position.with_side(index, replace(side, defeated=(*side.defeated, fighter.card)))


def change_general(position: Position, index: int, fighter: Fighter, **changes: Any) -> Position:
    """Return the position with some of a general's values changed."""
    side = position.sides[index]
    fighters = tuple(replace(other, **changes) if other is fighter else other for other in side.fighters)
    return position.with_side(index, replace(side, fighters=fighters))


def are_together(fighter: Fighter, other: Fighter) -> bool:
    """Return whether generals of opposing sides stand in the same zone."""
    return FACING.get(fighter.zone) == other.zone


# --- effects ----------------------------------------------------------------------------


def judge_deed(hearing: Hearing, position: Position, deed: Deed) -> None:
    """Judge whether the generals that an effect needs are named, are there, and can be reached."""
    needs = VERBS[deed.effect.verb]
    named = {"general": deed.general, "target": deed.target}
    wrong = [what for what, label in named.items() if bool(label) != (what in needs)]
    need = say(_WANTED[wrong[0], wrong[0] in needs]) if wrong else ""
    if not hearing.weigh("effect.needs", not wrong, wanted=need):
        return
    own = position.sides[deed.by].fighter(deed.general)
    other = position.sides[1 - deed.by].fighter(deed.target)
    if deed.general:
        hearing.weigh("general.known", own is not None, general=deed.general, who=SIDES[deed.by])
    if deed.target:
        hearing.weigh("attack.target", other is not None, target=deed.target, who=SIDES[1 - deed.by])
    if deed.effect.verb == "strike" and own is not None and other is not None:
        _judge_strike(hearing, position, deed, (own, other))


def _judge_strike(hearing: Hearing, position: Position, deed: Deed, two: tuple[Fighter, Fighter]) -> None:
    """Judge where both stand in an intelligence attack, and that the general may still attack.

    Source: Game Play 9, 12 and 14.
    """
    own, other = two
    facts = {"general": deed.general, "target": deed.target, "where": zone_words(own.zone)}
    anywhere = "strike-zone" in position.readings
    hearing.weigh("effect.strike-zone", anywhere or are_together(own, other), **facts)
    if not deed.activated:
        judge_act(hearing, own, exempt=not is_attack(position, deed))


def is_attack(position: Position, deed: Deed) -> bool:
    """Return whether an effect is a general's one attack of the turn.

    Source: Game Play 12 to 14; reading strike-attack.
    """
    return deed.effect.verb == "strike" and not deed.activated and "strike-attack" not in position.readings


def judge_act(hearing: Hearing, fighter: Fighter, exempt: bool = False) -> None:
    """Judge whether a general may still move or attack: once a turn, and not in the turn it was deployed.

    `exempt` lifts both limits.
    """
    hearing.weigh("act.fresh", exempt or not fighter.fresh, general=fighter.label)
    hearing.weigh("act.once", exempt or not fighter.acted, general=fighter.label)


_WANTED = {
    ("general", True): mark("needs one of your generals"),
    ("target", True): mark("needs an opposing general"),
    ("general", False): mark("doesn't target your own generals"),
    ("target", False): mark("doesn't target opposing generals"),
}


def perform_deed(position: Position, deed: Deed) -> Position:
    """Carry out an effect that was judged legal; what only the players can resolve changes nothing."""
    return _PERFORM[deed.effect.verb](position, deed)


def _own_fighter(position: Position, deed: Deed) -> Fighter:
    return position.sides[deed.by].here(deed.general)


def _opposing_fighter(position: Position, deed: Deed) -> Fighter:
    return position.sides[1 - deed.by].here(deed.target)


def _add_points(position: Position, deed: Deed) -> Position:
    """Add points of the form that the verb names, until the end of the turn."""
    fighter, form = _own_fighter(position, deed), deed.effect.verb
    return change_general(position, deed.by, fighter, **{form: getattr(fighter, form) + deed.effect.amount})


def _weaken(position: Position, deed: Deed) -> Position:
    fighter = _opposing_fighter(position, deed)
    return change_general(position, 1 - deed.by, fighter, military=fighter.military - deed.effect.amount)


def _withdraw(position: Position, deed: Deed) -> Position:
    index = 1 - deed.by
    side = remove_general(position.sides[index], _opposing_fighter(position, deed))
    return position.with_side(index, replace(side, hand=side.hand + 1))


def _disarm(position: Position, deed: Deed) -> Position:
    """Send a general's equipment to the expended zone; the general stays."""
    fighter, index = _opposing_fighter(position, deed), 1 - deed.by
    side = discard_equipment(position.sides[index], fighter)
    return change_general(position.with_side(index, side), index, fighter, item="", troop="")


def _strike(position: Position, deed: Deed) -> Position:
    """Carry out an intelligence attack: the target is defeated if it has fewer points.

    Source: Game Play 14; reading strike-fails.
    """
    own, target = _own_fighter(position, deed), _opposing_fighter(position, deed)
    mine = points_of(position, deed.by, own, "intelligence").total
    theirs = points_of(position, 1 - deed.by, target, "intelligence").total
    if is_attack(position, deed):
        position = change_general(position, deed.by, own, acted=True)
    both = "strike-fails" in position.readings
    if mine > theirs or (both and mine == theirs):
        position = defeat_general(position, 1 - deed.by, target)
    return defeat_general(position, deed.by, _own_fighter(position, deed)) if both and mine <= theirs else position


def _draw(position: Position, deed: Deed) -> Position:
    """Draw cards for an effect: only the draw phase loses a game, unless the table reads it otherwise."""
    if "cards-short" in position.readings:
        return take_owed(draw, position, deed.by, deed.effect.amount, "draw")
    return draw(position, deed.by, deed.effect.amount)


def _damage(position: Position, deed: Deed) -> Position:
    """Deal damage to the opponent's resources.

    A general's damage wins the game (Winning Criteria 2), a card's only by a reading.
    """
    if deed.activated or "cards-short" in position.readings:
        return take_owed(spend, position, 1 - deed.by, deed.effect.amount, "damage")
    return spend(position, 1 - deed.by, deed.effect.amount)


_PERFORM: dict[str, Callable[[Position, Deed], Position]] = {
    "draw": _draw,
    "damage": _damage,
    "discard": lambda position, deed: discard(position, 1 - deed.by, deed.effect.amount),
    "win": lambda position, deed: replace(position, winner=deed.by, reason="card"),
    "table": lambda position, deed: position,
    "military": _add_points,
    "intelligence": _add_points,
    "ready": lambda position, deed: change_general(
        position, deed.by, _own_fighter(position, deed), acted=False, fresh=False
    ),
    "withdraw": _withdraw,
    "defeat": lambda position, deed: defeat_general(position, 1 - deed.by, _opposing_fighter(position, deed)),
    "disarm": _disarm,
    "weaken": _weaken,
    "strike": _strike,
}

"""What a deployment may come to: its ends, worked out on the engine's position, and the exact odds of its dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from companion.core.language import _, plural
from companion.scenes.base.map_picture import bonuses
from companion.text.orders import area_name, bonus_title, faction_name, join_words, sentence
from companion.text.percent import chance_percent
from companion.ui.screen import Block, Odds, Share, Text
from engine.dice import pool_odds
from engine.errors import Illegal
from engine.orders import game
from engine.orders.odds import AreaOdds, ConflictOdds, ShotOdds, owed_odds, step_odds
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Accept, Deploy, Pass, Remove, Return, Roll, Step
from engine.orders.turn import ready
from engine.words import count_words

MOST_ROLLS = 3
"""The most rolls in a row to play out; an end that needs more is left out."""


@dataclass(frozen=True, slots=True)
class End:
    """One possible end of a deployment: its chance, the position, and what changes for each faction.

    points: (faction, points then, gain on now); gained, cut: (faction, areas that come into, or drop out of, supply).
    """

    chance: Fraction
    position: Position
    points: tuple[tuple[str, int, int], ...]
    gained: tuple[tuple[str, tuple[str, ...]], ...]
    cut: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def winner(self) -> str | None:
        """The faction that has won, if this ends the game; else None."""
        return self.position.winner_name

    @property
    def leader(self) -> str:
        """The faction that has won, or would if the game ended then."""
        return self.position.winner_name or score(self.position).winner


def ends(position: Position, step: Step) -> tuple[End, ...]:
    """Return the possible ends of a step, likeliest first, with alike ones merged; empty if it is illegal.

    No cards or rerolls are assumed. Losses that the owner may choose are taken from the first kind on.
    """
    now = ready(position, step)
    try:
        after = game.apply(now, step)
    except Illegal:
        return ()
    found: dict[tuple[object, ...], tuple[Fraction, Position]] = {}
    for chance, end in _played_out(after, Fraction(1), MOST_ROLLS):
        key = (end.survey.control, end.survey.supply, end.winner)
        so_far = found.get(key, (Fraction(0), end))[0]
        found[key] = (so_far + chance, end)
    results = (_end(now, chance, end) for chance, end in found.values())
    return tuple(sorted(results, key=lambda result: -result.chance))


def _played_out(position: Position, chance: Fraction, rolls: int) -> Iterator[tuple[Fraction, Position]]:
    """Yield (chance, position) for each way the turn may end, with at most so many more rolls."""
    owed = game.owed(position)
    if owed is None:
        yield chance, position
    elif owed.wants == "accept":
        yield from _played_out(_without_cards(position), chance, rolls)
    elif owed.wants == "remove":
        yield from _played_out(game.apply(position, _first_units(position, owed)), chance, rolls)
    elif owed.wants == "return":
        yield from _played_out(game.apply(position, Return(owed.spaces[0], owed.by)), chance, rolls)
    elif rolls:
        for pips, share in pool_odds(position.board.mode.die, owed.dice).items():
            rolled = game.apply(position, Roll(_faces(position, owed.dice, pips), owed.by))
            yield from _played_out(rolled, chance * share, rolls - 1)


def _without_cards(position: Position) -> Position:
    """Return the position after nobody has played a card."""
    passed = ready(position, Pass())
    return passed if passed is not position else game.apply(position, Accept())


def _first_units(position: Position, owed: game.Owed) -> Remove:
    """Return legal losses, taken from the first kind of unit on."""
    left, units = owed.units, []
    for unit, n in position.units_in(owed.area or "")[owed.by].items():
        units.append((unit, min(n, left)))
        left -= min(n, left)
    return Remove(tuple(pair for pair in units if pair[1]), owed.by, owed.area)


def _faces(position: Position, dice: int, pips: int) -> tuple[int, ...]:
    """Return faces of this many dice that add up to these pips."""
    most = max(position.board.mode.die)
    faces = []
    for _die in range(dice):
        faces.append(min(most, pips))
        pips -= faces[-1]
    return tuple(faces)


def _end(now: Position, chance: Fraction, end: Position) -> End:
    before, after = score(now).vp, score(end).vp
    factions = now.board.factions
    points = tuple((who, after[who], after[who] - before[who]) for who in factions)
    mine = list(zip(factions, now.survey.supply, end.survey.supply, strict=True))
    return End(
        chance,
        end,
        points,
        gained=tuple((who, names) for who, was, is_ in mine if (names := _names(now, is_ & ~was))),
        cut=tuple((who, names) for who, was, is_ in mine if (names := _names(now, was & ~is_))),
    )


def _names(position: Position, areas: int) -> tuple[str, ...]:
    return tuple(area.name for area in position.board.areas if areas >> area.index & 1)


# ---- as the forms and the dice tell it -----------------------------------------------------------


def step_odds_blocks(position: Position, step: Deploy) -> tuple[Block, ...]:
    """Return the odds of a deployment's dice and what its likeliest ends change; empty while it is illegal."""
    if not game.judge(position, step).legal:
        return ()
    return (*_odds_blocks(position, step_odds(position, step)), *_changes(position, step))


def _changes(position: Position, step: Deploy) -> tuple[Block, ...]:
    """Return up to two lines on what the likeliest ends change in points, supply and bonuses, if anything."""
    found = ends(position, step)
    chances: dict[str, Fraction] = {}
    for end in found:
        text = change_text(end, score(position).winner)
        chances[text] = chances.get(text, Fraction(0)) + end.chance
    sure = len(found) == 1
    form = _("{percent}: {change}")
    lines = (
        text if sure else form.format(percent=chance_percent(n), change=text) for text, n in chances.items() if text
    )
    return tuple(Text(line, "good" if sure else "quiet") for line in list(lines)[:2])


def change_text(end: End, leader: str) -> str:
    """Return what an end changes, in sentences; "" for nothing. leader: who would win now."""
    parts = []
    if any(more for _who, _points, more in end.points):
        points = ", ".join(_points(*entry) for entry in end.points)
        parts.append(_("Points: {points}").format(points=points))
    for form, pairs in ((_("{who} supplies {areas}"), end.gained), (_("{who} loses supply of {areas}"), end.cut)):
        parts += [form.format(who=faction_name(who), areas=join_words(map(area_name, areas))) for who, areas in pairs]
    lying = bonuses(end.position)
    tokens = {area.name: lying.get(area.slot or "", "") for area in end.position.board.areas}
    for who, areas in end.gained:
        form = _("{who} gains {bonuses}")
        gained = [bonus_title(end.position.board, tokens[area]) for area in areas if tokens[area]]
        parts += [form.format(who=faction_name(who), bonuses=join_words(gained))] if gained else []
    if end.winner:
        parts.append(_("{who} wins").format(who=faction_name(end.winner)))
    elif end.leader != leader:
        parts.append(_("{who} would be ahead").format(who=faction_name(end.leader)))
    return " ".join(f"{part}." if part.endswith(")") else sentence(part) for part in parts)


def _points(who: str, points: int, more: int) -> str:
    """Return a side's points at an end and their change: "Red 3 (+2)"."""
    added = f" ({more:+d})".replace("-", "−") if more else ""
    return f"{faction_name(who)} {points}{added}"


def owed_odds_words(position: Position) -> list[str]:
    """Return the odds of the owed roll, a line for each fight or shot."""
    shown = _odds_blocks(position, owed_odds(ready(position, Roll((), position.to_move_name))))
    lines = [", ".join(_in_words(share) for share in block.shares) for block in shown if isinstance(block, Odds)]
    return [line for line in lines if line]


def _in_words(share: Share) -> str:
    if not share.faction:
        return plural("{n} hit: {percent}", "{n} hits: {percent}", int(share.label), percent=share.value)
    return _("{what}: {percent}").format(what=share.label, percent=share.value)


def _odds_blocks(position: Position, found: Iterable[AreaOdds]) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for area_odds in found:
        mover = position.to_move_name
        shown = (
            _conflict(area_odds, area_odds.odds, mover)
            if isinstance(area_odds.odds, ConflictOdds)
            else _shot(area_odds, area_odds.odds)
        )
        blocks.append(shown)
        if area_odds.ends:
            text = _("{percent}: a headquarters falls and the game ends")
            blocks.append(Text(text.format(percent=chance_percent(area_odds.ends)), "warn"))
    return tuple(blocks)


def _conflict(area_odds: AreaOdds, odds: ConflictOdds, mover: str) -> Odds:
    text = _("Conflict in {area}: {attackers} against {defenders}, {dice} in defence")
    dice = count_words(odds.dice, "die")
    shares = (
        _share(mover, _("{who} takes it"), odds.attacker_holds),
        _share("nobody", _("nobody left"), odds.empty),
        _share(area_odds.by, _("{who} keeps it"), odds.defender_holds),
    )
    title = text.format(area=area_name(area_odds.area), attackers=odds.attackers, defenders=odds.defenders, dice=dice)
    return Odds(title, tuple(share for share in shares if share.part))


def _shot(area_odds: AreaOdds, odds: ShotOdds) -> Odds:
    dice = count_words(odds.dice, "die")
    if not odds.targets:
        return Odds(_("{dice}, but nothing to hit").format(dice=dice), ())
    text = _("{dice} against {n} in {area}: chance of hits")
    shares = tuple(Share("", str(n), float(chance), chance_percent(chance)) for n, chance in odds.losses.items())
    return Odds(text.format(dice=dice, n=odds.targets, area=area_name(area_odds.area)), shares)


def _share(faction: str, form: str, chance: Fraction) -> Share:
    return Share(faction, form.format(who=faction_name(faction)), float(chance), chance_percent(chance))

"""What a roll may come to, exactly: before a deployment is confirmed, and while its dice are owed."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from companion.language import _
from companion.scenes.screen import Block, Odds, Share, Text
from companion.scenes.words import faction_name
from engine.orders import game
from engine.orders.odds import AreaOdds, ConflictOdds, ShotOdds, owed_odds, step_odds
from engine.orders.position import Position
from engine.orders.steps import Deploy


def of_step(position: Position, step: Deploy) -> tuple[Block, ...]:
    """The odds of a deployment; nothing where it is not legal yet, or nothing is rolled."""
    return _shown(position, step_odds(position, step)) if game.judge(position, step).legal else ()


def of_roll(position: Position) -> tuple[Block, ...]:
    """The odds of what is still to be rolled in this turn."""
    return _shown(position, owed_odds(position))


def _shown(position: Position, found: Iterable[AreaOdds]) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for one in found:
        mover = position.to_move_name
        shown = _conflict(one, one.odds, mover) if isinstance(one.odds, ConflictOdds) else _shot(one, one.odds)
        blocks.append(shown)
        if one.ends:
            text = _("{percent} that a headquarters falls and the game ends")
            blocks.append(Text(text.format(percent=percent(one.ends)), "warn"))
    return tuple(blocks)


def _conflict(one: AreaOdds, odds: ConflictOdds, mover: str) -> Odds:
    text = _("Conflict in {area}: {attackers} against {defenders}, defence of {dice}")
    dice = (_("{n} die") if odds.dice == 1 else _("{n} dice")).format(n=odds.dice)
    shares = (
        _share(mover, _("{who} holds it {percent}"), odds.attacker_holds),
        _share("nobody", _("nobody {percent}"), odds.empty),
        _share(one.by, _("{who} holds it {percent}"), odds.defender_holds),
    )
    told = text.format(area=one.area, attackers=odds.attackers, defenders=odds.defenders, dice=dice)
    return Odds(told, tuple(share for share in shares if share.part))


def _shot(one: AreaOdds, odds: ShotOdds) -> Odds:
    dice = (_("{n} die") if odds.dice == 1 else _("{n} dice")).format(n=odds.dice)
    if not odds.targets:
        return Odds(_("{dice}, and nothing there to hit").format(dice=dice), ())
    text = _("{dice} at {n} in {area}: how many it hits")
    shares = tuple(
        Share("", _("{n}: {percent}").format(n=n, percent=percent(chance)), float(chance))
        for n, chance in odds.losses.items()
    )
    return Odds(text.format(dice=dice, n=odds.targets, area=one.area), shares)


def _share(faction: str, form: str, chance: Fraction) -> Share:
    label = form.format(who=faction_name(faction), percent=percent(chance))
    return Share(faction, label, float(chance))


def percent(chance: Fraction) -> str:
    """A chance in whole percent; what is possible is never 0 %, what is uncertain never 100 %.

    >>> percent(Fraction(2, 3)), percent(Fraction(1, 1296)), percent(Fraction(1295, 1296)), percent(Fraction(1))
    ('67 %', '< 1 %', '> 99 %', '100 %')
    """
    if 0 < chance < Fraction(1, 100):
        return "< 1 %"
    if Fraction(99, 100) < chance < 1:
        return "> 99 %"
    return f"{round(chance * 100)} %"

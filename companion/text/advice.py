"""The app as a player of General Orders, in words: how it plays, the turns it would take, why, and at what risk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from companion.core.language import _, plural
from companion.text.log import coming, placed_units
from companion.text.orders import area_name, card_count, card_title, faction_name, join_words, unit_count
from companion.text.percent import chance_percent
from engine.orders.actions.draw import takes_initiative
from engine.orders.board import Space
from engine.orders.odds import AreaOdds, ConflictOdds, ShotOdds
from engine.orders.player import Reason
from engine.orders.player.levels import Worth
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from engine.words import decimal, mark

# ---- what to do ----------------------------------------------------------------------------------


def turn_advice(turn: Deploy | Pass, position: Position) -> str:
    """Return a turn as one tells somebody to do it, without a full stop: "Advance to c4 with 2 troops from b4"."""
    if isinstance(turn, Pass):
        return _("Pass")
    space = position.board.space(turn.space)
    if space.action.verb == "draw":
        text = _draw(turn, takes_initiative(position, space, position.to_move))
    else:
        text = _DEEDS[space.action.verb](space, turn)
    if not turn.cards:
        return text
    cards = join_words(card_title(position.board, card) for card in turn.cards)
    return _("{deed}, playing {cards}").format(deed=text, cards=cards)


def _move(space: Space, turn: Deploy) -> str:
    form = {
        "advance": _("Advance to {area} with {units}"),
        "sail": _("Sail to {area} with {units}"),
        "fly": _("Fly to the {area} with {units}"),
    }.get(space.action.name, _("Move to {area} with {units}"))
    return form.format(area=area_name(space.area or ""), units=coming(turn.moves))


def _shoot(space: Space, turn: Deploy) -> str:
    form = {
        "bombard": _("Bombard {target} from {area}"),
        "shell": _("Shell {target} from {area}"),
        "siege": _("Besiege {target} from {area}"),
        "barrage": _("Lay a barrage on {target} from {area}"),
        "bomb": _("Bomb {target} from the {area}, spending {units}"),
    }.get(space.action.name, _("Shoot at {target} from {area}"))
    units = unit_count(space.action.payload, turn.payload or 0) if space.action.payload else ""
    return form.format(target=turn.target, area=area_name(space.area or ""), units=units)


def _drop(space: Space, turn: Deploy) -> str:
    form = _("Drop {units} on {target} from {area}")
    units = unit_count(space.action.unit, space.action.amount)
    return form.format(units=units, target=turn.target, area=area_name(space.area or ""))


def _place(space: Space, turn: Deploy) -> str:
    form = {
        "reinforce": _("Reinforce with {units}"),
        "embark": _("Embark {units}"),
        "take_off": _("Take off with {units}"),
    }.get(space.action.name, _("Place {units}"))
    return form.format(units=placed_units(turn.place))


def _draw(turn: Deploy, initiative: bool) -> str:
    drawn = turn.draw or 0
    form = _("Draw {cards} and take the initiative") if initiative else _("Draw {cards}")
    return form.format(cards=card_count(drawn if isinstance(drawn, int) else len(drawn)))


_DEEDS: Mapping[str, Callable[[Space, Deploy], str]] = {
    "move": _move,
    "shoot": _shoot,
    "drop": _drop,
    "place": _place,
}


# ---- why -----------------------------------------------------------------------------------------

TOLD_BY_THE_TURN = ("strengthens", "draws", "initiative")


def worth_telling(reasons: Iterable[Reason]) -> list[Reason]:
    """Return the reasons that the turn's own sentence doesn't tell already."""
    return [reason for reason in reasons if reason.code not in TOLD_BY_THE_TURN]


def reason_words(reason: Reason) -> str:
    """Say what a turn does: "cuts off b2 and b3: 4 points"; a capture's odds are left to its risk."""
    areas = join_words(map(area_name, reason.areas))
    percent = chance_percent(reason.chance)
    if reason.code == "wins":
        return _("wins the game") if reason.chance == 1 else _("wins the game: {percent}").format(percent=percent)
    if reason.code == "threatens":
        return _("threatens the headquarters in {area}: {percent} next turn").format(area=areas, percent=percent)
    if reason.code == "strengthens":
        return plural("puts {n} unit into {areas}", "puts {n} units into {areas}", reason.amount, areas=areas)
    if reason.code == "draws":
        return plural("draws {n} card", "draws {n} cards", reason.amount)
    text = {
        "takes": _("takes {areas}"),
        "empties": _("drives the enemy out of {areas}"),
        "cuts": _("cuts off {areas}"),
        "links": _("brings {areas} back into supply"),
        "guards": _("guards the headquarters in {areas}"),
        "holds": _("keeps the enemy out of {areas}"),
        "initiative": _("takes the initiative"),
        "waits": _("no move is better"),
        "prepares": _("improves the position"),
    }[reason.code].format(areas=areas)
    if not reason.amount:
        return text
    points = plural("{n} point", "{n} points", reason.amount)
    return _("{deed}: {points}").format(deed=text, points=points)


# ---- at what risk --------------------------------------------------------------------------------


def risk_words(area_odds: AreaOdds, position: Position) -> str:
    """Return the exact odds in one area as a sentence; `position`: the one before the turn."""
    odds, area = area_odds.odds, area_name(area_odds.area)
    if isinstance(odds, ConflictOdds):
        text = _conflict(odds, faction_name(position.to_move_name), area)
    else:
        board = position.board
        text = _shot(odds, faction_name(board.factions[1 - position.to_move]), area)
    if not area_odds.ends:
        return text
    ends = _("{percent}: a headquarters falls and the game ends").format(percent=chance_percent(area_odds.ends))
    return f"{text} {ends}."


def _conflict(odds: ConflictOdds, who: str, area: str) -> str:
    takes, form = odds.attacker_holds, _("{who} takes {area} in {percent} of rolls.")
    if takes == 1:
        form = _("{who} takes {area}, whatever the dice show.")
    elif not takes:
        form = _("{who} can't take {area}, but clears it in {percent} of rolls.")
        form = form if odds.empty else _("{who} can't take {area} this turn.")
    return form.format(who=who, area=area, percent=chance_percent(takes or odds.empty))


def _shot(odds: ShotOdds, whose: str, area: str) -> str:
    lost = sum((n * chance for n, chance in odds.losses.items()), Fraction(0))
    if not odds.targets:
        form = _("There's nothing to hit in {area}.")
    elif odds.targets == 1:
        form = _("{who} loses the unit in {area} in {percent} of rolls.")
    elif odds.empties:
        form = _("{who} loses {n} of {all} in {area} on average, all of them in {percent} of rolls.")
    else:
        form = _("{who} loses {n} of {all} in {area} on average.")
    percent = chance_percent(odds.empties)
    return form.format(who=whose, n=decimal(float(lost), 1), all=odds.targets, area=area, percent=percent)


# ---- the side that the app plays -----------------------------------------------------------------


Words = Mapping[str, tuple[str, str]]
"""{what it is called inside: (its name, what it is like)}."""

LEVELS: Words = {
    "first": (mark("Beginner"), mark("still learning")),
    "child": (mark("Gentle"), mark("simple moves, misses things")),
    "even": (mark("Even"), mark("a fair fight")),
    "strong": (mark("Strong"), mark("plays to win")),
    "best": (mark("Master"), mark("takes its time")),
}
PACES: Words = {
    "usual": (mark("As usual"), mark("a few seconds a turn")),
    "long": (
        mark("Takes its time"),
        mark("plays better, up to four minutes a turn – touch “Play now” at any moment"),
    ),
}
COMMANDERS: Words = {
    "": (mark("As Gunbai"), mark("no leanings")),
    "falcon": (mark("The Falcon"), mark("moves up fast, wants to begin")),
    "rice_lord": (mark("The Rice Lord"), mark("wants land, and more land")),
    "gatekeeper": (mark("The Gatekeeper"), mark("guards headquarters first")),
    "rider": (mark("The Dispatch Rider"), mark("wants to begin, presses your headquarters")),
    "surveyor": (mark("The Surveyor"), mark("spreads over the map")),
    "quartermaster": (mark("The Quartermaster"), mark("guards headquarters first")),
}
HEAD_STARTS: Words = {
    "none": (mark("None"), ""),
    "troops": (mark("Two troops"), mark("two more at your headquarters")),
    "initiative": (mark("The initiative"), mark("you begin, and win the tie")),
}


def level_name(level: str) -> str:
    """Say in a word how well an opponent of this level plays."""
    return _(LEVELS[level][0])


def level_note(level: str) -> str:
    """Say what it is like to play against an opponent of this level."""
    return _(LEVELS[level][1])


def pace_name(pace: str) -> str:
    """Say how long the app thinks about a turn."""
    return _(PACES[pace][0])


def pace_note(pace: str) -> str:
    """Say what it is like to wait for it."""
    return _(PACES[pace][1])


def commander_name(commander: str) -> str:
    """Name a commander with a temperament; "" is the app as it is."""
    return _(COMMANDERS[commander][0])


def commander_note(commander: str) -> str:
    """Say what a commander likes."""
    return _(COMMANDERS[commander][1])


def head_start_name(head_start: str) -> str:
    """Name what the person is given at the start."""
    return _(HEAD_STARTS[head_start][0])


def head_start_note(head_start: str) -> str:
    """Say what a head start is."""
    return _(HEAD_STARTS[head_start][1])


def head_start_worth(weaker: str, stronger: str, without: Worth, given: Worth) -> str:
    """Say how often one level beats a better one with a head start, and without."""
    return _("In games of {weaker} against {stronger}: {given} % won with it, {without} % without ({n} each).").format(
        weaker=level_name(weaker),
        stronger=level_name(stronger),
        given=round(100 * given.wins / given.games),
        without=round(100 * without.wins / without.games),
        n=min(given.games, without.games),
    )

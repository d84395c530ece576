"""How a turn in progress may have ended: the dice, losses and cards that the evidence speaks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, log, prod
from typing import NamedTuple

from engine.areas import members
from engine.dice import pool_odds
from engine.orders import cards, game
from engine.orders.actions import fire
from engine.orders.describe import describe_step
from engine.orders.inference.case import LOOSE, any_dice, card_chance
from engine.orders.inference.evidence import NEVER, Evidence, is_possible
from engine.orders.mode import Card
from engine.orders.position import Position, Stage, Turn, outlook_of
from engine.orders.steps import Accept, Play, Remove, Return, Roll, Step
from engine.orders.turn import ready
from engine.words import say, side

MARGIN = 9.0
"""Ways to go on that are less likely than the likeliest by more than this are left out (a logarithm)."""


class Ending(NamedTuple):
    """One way for a turn to end: the position after it, the steps, in words, and the logarithm of their chance."""

    position: Position
    steps: tuple[Step, ...]
    words: tuple[str, ...]
    log: float


class Branch(NamedTuple):
    """One way to go on: its steps, what they are in words, and their log-probability.

    bound: the most that the log-probability can be once the evidence is weighed as well.
    """

    steps: tuple[Step, ...]
    words: tuple[str, ...]
    log: float
    bound: float


def endings(position: Position, evidence: Evidence) -> Iterator[Ending]:
    """Yield the ways in which the turn in progress may end; the position itself if there is no such turn."""
    turn = position.turn
    if turn is None:
        yield Ending(position, (), (), 0.0)
        return
    branches = list(_BRANCHES[turn.stage](position, turn, evidence))
    least = max((branch.bound for branch in branches), default=0.0) - MARGIN
    for branch in branches:
        if branch.bound >= least and is_possible(branch.bound):
            # what the engine owes after these steps is explained in the same way, until the turn is over
            for rest in endings(game.fold(position, branch.steps), evidence):
                steps, words = branch.steps + rest.steps, branch.words + rest.words
                yield Ending(rest.position, steps, words, branch.log + rest.log)


def _without_card(_position: Position, _turn: Turn, _evidence: Evidence) -> Iterator[Branch]:
    yield Branch((Accept(),), (), 0.0, 0.0)


# --- dice -------------------------------------------------------------------------------


class _Pool(NamedTuple):
    """The number of dice of a roll, who played which card for it, and the log-probability of that number.

    `but`: ends, as sums of units by faction, that need no card of unknown text to explain them.
    """

    dice: int
    played: tuple[int, Card] | None = None
    log: float = 0.0
    but: frozenset[tuple[int, int]] = frozenset()


def _with_roll(position: Position, turn: Turn, evidence: Evidence) -> Iterator[Branch]:
    """Yield the dice that explain what is seen in the area they are rolled for.

    They are tried with and without a card that adds some.
    """
    here = ready(position, Roll((), ""))
    turn = here.turn or turn
    adding = [(faction, card) for faction, card in cards.playable_cards(here) if card.verb == "dice"]
    pools = [_Pool(turn.dice), *(_Pool(turn.dice + card.amount, (faction, card)) for faction, card in adding)]
    for pool in (*pools, *_of_unknown_text(here, turn, pools)):
        yield from _with_dice(here, turn, evidence, pool)


def _of_unknown_text(position: Position, turn: Turn, pools: Sequence[_Pool]) -> Iterator[_Pool]:
    """Yield the dice after a card of unknown text.

    The card lies there, or explains what other dice do not.
    """
    if cards.has_loose_dice(position):
        yield from (_Pool(dice, None, LOOSE) for dice in any_dice(turn.dice))
        return
    clash = clash_of(position, turn)
    but = frozenset(outcome.sums for pool in pools for outcome in outcomes(position, clash, pool.dice))
    for played in _unknown_cards(position):
        yield from (_Pool(dice, played, LOOSE, but) for dice in any_dice(turn.dice))


def _unknown_cards(position: Position) -> Iterator[tuple[int, Card]]:
    """Yield the cards of unknown text that may be played now.

    Of a hidden hand only the likeliest is tried, as all look alike.
    """
    found = cards.announceable_cards(position)
    for faction, hand in enumerate(position.hands):
        own = [card for holder, card in found if holder == faction]
        if isinstance(hand, int):
            own = sorted(own, key=lambda card: -card_chance(position, faction, card))[:1]
        yield from ((faction, card) for card in own)


def clash_of(position: Position, turn: Turn) -> Clash:
    """Return both sides' units in the area for which a turn's dice are rolled."""
    me = position.to_move
    mine, theirs = (sum(row[turn.area] for row in position.units[faction]) for faction in (me, 1 - me))
    return Clash(turn.area, mine, theirs, cards.roller(position) == me)


def _with_dice(position: Position, turn: Turn, evidence: Evidence, pool: _Pool) -> Iterator[Branch]:
    """Yield the totals of a roll that leave different units, each with its likeliest faces."""
    board, roller, prior = position.board, cards.roller(position), pool.log
    by, plays = board.factions[roller], tuple[Step, ...]()
    if pool.played is not None:
        faction, card = pool.played
        plays = (Play(card.name, board.factions[faction]),)
        prior += log(card_chance(position, faction, card))
    words = tuple(describe_step(play, position) for play in plays)
    again = _repeat_pips(position, turn) if roller == position.to_move else 0
    # a total stands for every roll with it: the faces that show it most often are proposed
    for outcome in outcomes(position, clash_of(position, turn), pool.dice):
        if outcome.sums in pool.but:
            continue
        chance = prior + log(outcome.chance)
        roll = Roll(likeliest_faces(board.mode.die, pool.dice, outcome.likeliest), by)
        fit = _best_total(evidence, turn.area, outcome.sums, again)
        sentence = say("{who} rolls {n}", who=side(by), n=outcome.likeliest)
        others = ", ".join(
            str(pips) for pips in outcome.pips if pips != outcome.likeliest
        )  # totals that would do the same
        sentence = say("{told} (or {others})", told=sentence, others=others) if others else sentence
        yield Branch((*plays, roll), (*words, sentence), chance, chance + fit)


def _repeat_pips(position: Position, turn: Turn) -> int:
    """Return the most pips of another shot that a card may still bring."""
    action = position.board.spaces[turn.space].action
    found = position.board.mode.windows.get(("again", action.name), ())
    may = any(card_chance(position, cards.actor(position, card), card) > 0 for card in found)
    return max(position.board.mode.die) * turn.dice if may else 0


def _best_total(evidence: Evidence, area: int, sums: tuple[int, int], more: int) -> float:
    """Return the log-likelihood of an area's appearance with these sums, or after another shot.

    Another shot leaves some enemies fewer.
    """
    first, second = sums
    return max(
        evidence.total(area, (first - min(n, first), second - min(m, second)))
        for n, m in [(0, 0), *((n, 0) for n in range(1, more + 1)), *((0, n) for n in range(1, more + 1))]
    )


@cache
def likeliest_faces(die: tuple[int, ...], dice: int, pips: int) -> tuple[int, ...]:
    """Return the faces, lowest first, that a roll of `dice` dice with `pips` in all most often shows.

    >>> likeliest_faces((0, 1, 1, 1, 1, 2), 2, 2)
    (1, 1)
    """
    faces = Counter(die)
    rolls_of = (roll for roll in combinations_with_replacement(sorted(faces), dice) if sum(roll) == pips)

    def ways(roll: tuple[int, ...]) -> int:
        orders = factorial(len(roll)) // prod(factorial(n) for n in Counter(roll).values())
        return orders * prod(faces[face] for face in roll)

    return max(rolls_of, key=ways)


# --- losses and second shots ------------------------------------------------------------


def _with_losses(position: Position, turn: Turn, evidence: Evidence) -> Iterator[Branch]:
    """Yield the losses that the owner may have chosen, by what is seen there."""
    loss, board = turn.losses[0], position.board
    here = [side[loss.area] for side in position.units[loss.faction]]
    area = board.areas[loss.area].name if len(turn.losses) > 1 else None
    # every choice of kinds that adds up to the loss
    for gone in product(*(range(min(n, loss.units), -1, -1) for n in here)):
        if sum(gone) == loss.units:
            units = tuple((kind.name, n) for kind, n in zip(board.mode.units, gone, strict=True) if n)
            step = Remove(units, board.factions[loss.faction], area)
            left = [n - off for n, off in zip(here, gone, strict=True)]
            fit = _losses_log_likelihood(evidence, loss.area, loss.faction, left)
            yield Branch((step,), (describe_step(step, position),), 0.0, fit)


def _losses_log_likelihood(evidence: Evidence, area: int, faction: int, left: list[int]) -> float:
    """Return the log-likelihood of an area's appearance if a faction has these units left by kind, or fewer."""
    belief = evidence.areas[area]
    if belief is None:
        return 0.0
    first = faction * len(left)
    fitting = (
        score
        for force, score in belief.logs.items()
        if all(n <= most for n, most in zip(force[first : first + len(left)], left, strict=True))
    )
    return max(fitting, default=belief.floor if belief.per_unit else NEVER)


def _with_repeat(position: Position, turn: Turn, evidence: Evidence) -> Iterator[Branch]:
    """Yield the shot as all there was, and each repetition that a card allows, at any target."""
    yield Branch((Accept(),), (), 0.0, 0.0)
    space = position.board.spaces[turn.space]
    outlook = outlook_of(position, position.to_move)
    targets = list(members(fire.targets(outlook, space)))
    for faction, card in cards.playable_cards(position):
        prior = log(card_chance(position, faction, card) / len(targets)) if targets else 0.0
        for target in targets:
            mine, theirs = (sum(row[target] for row in position.units[who]) for who in (outlook.me, outlook.foe))
            clash, now = Clash(target, mine, theirs, True), (theirs, mine) if outlook.me else (mine, theirs)
            ends = outcomes(position, clash, fire.dice(outlook, space))
            best = max(log(outcome.chance) + evidence.total(target, outcome.sums) for outcome in ends)
            play = Play(card.name, position.board.factions[faction], target=outlook.name(target))
            gain = prior + best - evidence.total(target, now)
            yield Branch((play,), (describe_step(play, position),), prior, gain)


# --- commanders that a lost bonus takes back --------------------------------------------


def _with_return(position: Position, turn: Turn, evidence: Evidence) -> Iterator[Branch]:
    """Yield the action spaces whose commander may have gone back to standby, by what is seen of them."""
    faction, board = turn.returns[0], position.board
    held = list(members(position.commanders[faction]))
    for index in held:
        step = Return(board.spaces[index].name, board.factions[faction])
        here = sum((side >> index & 1) << who for who, side in enumerate(position.commanders))
        logs = evidence.spaces[index]
        gain = 0.0 if logs is None else logs[here & ~(1 << faction)] - logs[here]
        # any of its spaces may have been chosen
        chance = -log(len(held))
        yield Branch((step,), (describe_step(step, position),), chance, chance + gain)


_BRANCHES = {
    Stage.JOIN: lambda position, turn, evidence: (_with_roll if turn.contested else _without_card)(
        position, turn, evidence
    ),
    Stage.DEFENCE: _with_roll,
    Stage.SHOT: _with_roll,
    Stage.ROLLED: _without_card,
    Stage.LOSSES: _with_losses,
    Stage.AGAIN: _with_repeat,
    Stage.RETURN: _with_return,
}


def joining_plays(position: Position) -> Iterator[tuple[tuple[Play, ...], float]]:
    """Yield no card, then each way to play a card that adds units now, with its log-probability."""
    yield (), 0.0
    turn = position.turn
    if turn is None or turn.stage is not Stage.JOIN:
        return
    adding = ((faction, card) for faction, card in cards.playable_cards(position) if card.verb in ("join", "place"))
    for faction, card in adding:
        ways = list(_plays_of(position, turn, card))
        for play in ways:
            yield (play,), log(card_chance(position, faction, card) / len(ways))


def _plays_of(position: Position, turn: Turn, card: Card) -> Iterator[Play]:
    board = position.board
    by = board.factions[cards.actor(position, card)]
    most = min(card.amount, position.reserve(position.to_move, board.mode.unit_index[card.unit]))
    for n in range(1, most + 1):
        if card.verb == "join":
            yield Play(card.name, by, units=n)
            continue
        open_to = board.names(members(turn.places | (turn.seizable if card.into_enemy else 0)))
        for areas in combinations_with_replacement(open_to, n):
            place = tuple((area, card.unit, areas.count(area)) for area in dict.fromkeys(areas))
            yield Play(card.name, by, place=place)


# --- what dice leave in an area: the quick sum beside which `conflict` carries it out -------


class Clash(NamedTuple):
    """Units of the acting faction and of its enemy in an area, before the dice; a `shot` hits the enemy only."""

    area: int
    mine: int
    theirs: int
    shot: bool


class Outcome(NamedTuple):
    """One way for dice to leave an area: the sums of units by faction, the totals that do it, and their chance."""

    sums: tuple[int, int]
    pips: tuple[int, ...]
    chance: float
    likeliest: int


def outcomes(position: Position, clash: Clash, dice: int) -> Iterator[Outcome]:
    """Yield every outcome of a roll of `dice` dice in an area, at the end of the turn."""
    odds = pool_odds(position.board.mode.die, dice)
    # totals that leave the same units are one outcome: no look at the table can tell them apart
    ways: dict[tuple[int, int], list[int]] = {}
    for pips in odds:
        ways.setdefault(_end_sums(position, clash, pips), []).append(pips)
    for sums, totals in ways.items():
        chance = sum((odds[pips] for pips in totals), Fraction(0))
        yield Outcome(sums, tuple(totals), float(chance), max(totals, key=odds.__getitem__))


def _end_sums(position: Position, clash: Clash, pips: int) -> tuple[int, int]:
    mine, theirs = clash.mine, clash.theirs
    if clash.shot:
        theirs -= min(pips, theirs)
    else:
        # the defender's dice first, then attrition: both sides lose one unit each at a time (Conflicts)
        mine -= min(pips, mine)
        mine, theirs = mine - min(mine, theirs), theirs - min(mine, theirs)
    # an empty headquarters ends the game at once, before the limits are looked at (Game End)
    falls = clash.area == position.board.hq[1 - position.to_move] and not theirs
    return sums_within_limits(position, clash.area, (mine, theirs), falls)


def sums_within_limits(position: Position, area: int, left: tuple[int, int], falls: bool = False) -> tuple[int, int]:
    """Return the units left in an area, in the order of the factions, cut to the area's limit.

    left: the acting side's units, then its enemy's; falls: the game is over, so the limit doesn't matter.
    """
    cap = position.board.mode.caps[position.board.areas[area].kind]
    mine, theirs = left if falls else (min(left[0], cap), min(left[1], cap))
    return (theirs, mine) if position.to_move else (mine, theirs)

"""Plays by itself: turns chosen among the legal ones, dice rolled, cards drawn. Chance lives here, outside the rules.

Of each legal action space a few ways to use it are thought of, and of each card those that an open window allows.

A turn is chosen by looking one turn ahead: every die is taken for a one, which is what it shows on average,
and the positions that come out are weighed. The better ones are picked more often, never always, so that
games differ and stay sensible.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from engine.areas import members
from engine.orders import game
from engine.orders.actions import fire, move
from engine.orders.board import Space
from engine.orders.bonuses import defence_dice
from engine.orders.game import Offer, Owed
from engine.orders.mode import Card
from engine.orders.odds import conflict_odds, shot_odds
from engine.orders.position import Outlook, Position, outlook_of
from engine.orders.steps import Accept, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step

EAGERNESS = 1.2
CARD_CHANCE = 0.9
EXTRA_CHANCE = 0.5
CARD_WORTH_PLAYING = 0.3
AVERAGE_FACE = 1
MOVE_TRIES = 5
PLACE_TRIES = 6
Ways = Callable[[Position, str, Offer, random.Random], Iterator[Deploy]]
"""Yield ways to use an action space of this name, as it is offered."""
# what each thing is worth, against one another: only their proportions matter
LOST = 60.0  # a game
POINT = 3.0  # a victory point in supply
POINT_CUT_OFF = 1.0
BONUS = 1.0  # an area with a bonus, in supply
UNIT, RARE = 0.35, 2.5  # any unit, and what a kind's rarity adds, shared by all of it in the reserve
COVER = 0.5  # a die of defence that an air zone gives an own area
CARD = 1.0
CARDS_ENOUGH = 4  # more cards than these are worth nothing
COMMANDER = 1.5  # one that stands by
INITIATIVE = 0.7  # four times that in the last round, where it decides ties
FEAR = 0.45
"""How much of a lost game it is worth that one may be lost in the next turn."""
LOOMS = 0.7
"""For each unit by which a shot and a move together, one turn after the other, may be too many."""


class Autoplayer:
    """Plays both sides of a game, with its dice and its deck; the same seed plays the same game."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def step(self, position: Position) -> Step:
        """Choose the next step of an unfinished game: the answer that is owed, or else a new turn."""
        owed = game.owed(position)
        return self._turn(position) if owed is None else self._answer(position, owed)

    def _turn(self, position: Position) -> Step:
        best = _best_of_each_space(position, deployments(position, self._rng))
        if not best:
            return Pass()
        top = max(value for _, value in best)
        weights = [math.exp((value - top) * EAGERNESS) for _, value in best]
        chosen = self._rng.choices([step for step, _ in best], weights)[0]
        extra = with_extra_commander(position, chosen)
        if extra != chosen and self._rng.random() < EXTRA_CHANCE:
            chosen = extra
        if not isinstance(chosen.draw, int):
            return chosen
        cards = draw(position, chosen.draw, self._rng)
        return Deploy(chosen.space, draw=chosen.draw if cards is None else cards, cards=chosen.cards)

    def _answer(self, position: Position, owed: Owed) -> Step:
        card = self._card(position, owed)
        if card is not None:
            return card
        if owed.wants == "roll":
            faces = position.board.mode.die
            return Roll(tuple(self._rng.choice(faces) for _ in range(owed.dice)), owed.by)
        return quiet_answer(position, owed)

    def _card(self, position: Position, owed: Owed) -> Play | Reroll | None:
        """Choose the card that gains most in the open window; None if none gains enough, or now and then at random."""
        best, most = None, CARD_WORTH_PLAYING
        for play in window_plays(position, owed):
            after, before = settle_turn(game.apply(position, play)), settle_turn(position)
            gain = rate_position(after, play.by) - rate_position(before, play.by) + CARD
            if gain > most:
                best, most = play, gain
        return best if best is not None and self._rng.random() < CARD_CHANCE else None


def _best_of_each_space(position: Position, found: list[Deploy]) -> list[tuple[Deploy, float]]:
    """Return the best deployment to each space with its gain, so that spaces with many ways aren't favoured."""
    best: dict[str, tuple[Deploy, float]] = {}
    before = rate_position(position, position.to_move_name)
    for step in found:
        value = rate_position(settle_turn(game.apply(position, step)), position.to_move_name) - before
        if step.space not in best or value > best[step.space][1]:
            best[step.space] = (step, value)
    return list(best.values())


def settle_turn(position: Position) -> Position:
    """Return the position after the turn in progress has ended with average dice and no cards."""
    owed = game.owed(position)
    while owed is not None:
        average = Roll((AVERAGE_FACE,) * owed.dice, owed.by) if owed.wants == "roll" else quiet_answer(position, owed)
        position = game.apply(position, average)
        owed = game.owed(position)
    return position


def quiet_answer(position: Position, owed: Owed) -> Step:
    """Return the plainest answer that is owed: losses of the cheapest units, the first commander back, or no card."""
    if owed.wants == "return":
        return Return(owed.spaces[0], owed.by)
    if owed.wants == "remove" and owed.area is not None:
        here = Counter(position.units_in(owed.area).get(owed.by, {}))
        return Remove(_cheapest(here, owed.units, position), owed.by, owed.area)
    return Accept()


def _cheapest(here: Counter[str], losses: int, position: Position) -> tuple[tuple[str, int], ...]:
    taken = []
    for kind in position.board.mode.units:
        number = min(here[kind.name], losses)
        losses -= number
        if number:
            taken.append((kind.name, number))
    return tuple(taken)


def draw(position: Position, number: int, rng: random.Random) -> tuple[str, ...] | None:
    """Draw cards at random from the pile, then from the discard pile; None if a hand is hidden."""
    pile = draw_pile(position)
    if pile is None:
        return None
    drawn = rng.sample(pile, min(number, len(pile)))
    again = sorted(position.discard)
    return tuple(drawn + rng.sample(again, min(number - len(drawn), len(again))))


def draw_pile(position: Position) -> list[str] | None:
    """Return the cards that are neither held nor discarded, sorted; None if only the size of a hand is known."""
    cards = Counter(position.board.mode.deck)
    cards.subtract(position.discard)
    for faction in position.board.factions:
        hand = position.hand(faction)
        if isinstance(hand, int):
            return None
        cards.subtract(hand)
    return sorted((+cards).elements())


def rate_position(position: Position, faction: str) -> float:
    """Return how much better a position is for one faction than for the other."""
    other = next(rival for rival in position.board.factions if rival != faction)
    if position.winner_name is not None:
        return LOST if position.winner_name == faction else -LOST
    return _side(position, faction) - _side(position, other)


def _side(position: Position, faction: str) -> float:
    hand = position.hand(faction)
    cards = hand if isinstance(hand, int) else len(hand)
    total = _held_worth(position, faction) + CARD * min(cards, CARDS_ENOUGH)
    total -= COMMANDER * position.standing_by(faction)
    if position.initiative_name == faction:
        total += INITIATIVE * (4 if position.round == position.board.mode.rounds else 1)
    return total - _danger(position, position.board.mode.faction_index[faction])


def _held_worth(position: Position, faction: str) -> float:
    """Return the worth of a side's areas and units, and of its supplied air zones over areas that it controls."""
    board, me = position.board, position.board.mode.faction_index[faction]
    control, supply = (sides[me] for sides in position.survey)
    total = sum(
        (UNIT + RARE / kind.reserve) * sum(row)
        for kind, row in zip(board.mode.units, position.units[me], strict=True)
        if kind.reserve
    )
    for area in members(control):
        supplied = bool(supply >> area & 1)
        total += (POINT if supplied else POINT_CUT_OFF) * board.vps[area]
        total += BONUS if supplied and (board.areas[area].slot or board.areas[area].printed) else 0.0
        total += COVER * board.mode.zone_dice * (board.beneath[area] & control).bit_count() if supplied else 0.0
    return total


def _danger(position: Position, me: int) -> float:
    """Return how open the headquarters is to moves and shots of the other side's next turns."""
    theirs, board = outlook_of(position, 1 - me), position.board
    home, die = board.hq[me], board.mode.die
    garrison = sum(row[home] for row in position.units[me])
    attackers = max((_attackers(theirs, space, home) for space in board.spaces), default=0)
    soon = theirs.supply | board.adjacency.around(theirs.supply)
    spaces = [space for space in board.spaces if space.action.verb == "shoot"]
    now, later = (
        max((_dice(theirs, space, home, held) for space in spaces), default=0) for held in (theirs.supply, soon)
    )
    falls = max(
        _fall_chance(die, defence_dice(position, home, me), attackers, garrison), _emptying_chance(die, now, garrison)
    )
    return FEAR * LOST * falls + LOOMS * max(0, attackers + later + 1 - garrison)


@cache
def _fall_chance(die: tuple[int, ...], dice: int, attackers: int, garrison: int) -> float:
    """Return the chance that this many attackers take a headquarters."""
    return float(1 - conflict_odds(die, dice, attackers, garrison).defender_holds) if attackers else 0.0


@cache
def _emptying_chance(die: tuple[int, ...], dice: int, garrison: int) -> float:
    """Return the chance that a shot empties a headquarters."""
    return float(shot_odds(die, dice, garrison).empties) if dice else 0.0


def _attackers(seen: Outlook, space: Space, home: int) -> int:
    """Count the units that an action space may move into a headquarters."""
    if space.action.verb != "move" or space.area_index != home:
        return 0
    sources = move.reach(seen, space) & seen.spare
    return sum(sum(row[area] for row in seen.rows) - 1 for area in members(sources))


def _dice(seen: Outlook, space: Space, home: int, held: int) -> int:
    """Count the dice of a shot at a headquarters by an action space; 0 unless its area is in the set `held`."""
    if not held >> space.area_index & 1 or space.faction not in (None, seen.board.factions[seen.me]):
        return 0
    return fire.dice(seen, space) if fire.targets(seen, space) >> home & 1 else 0


# ---- ways to use a space, and cards -----------------------------------------------------------


def deployments(position: Position, rng: random.Random) -> list[Deploy]:
    """Return legal deployments: a few ways for each usable space and, by a card, for taken spaces."""
    found: list[Deploy] = []
    for space, option in game.legal(position).spaces.items():
        found.extend(_WAYS[position.board.space(space).action.verb](position, space, option, rng))
    found.extend(_shared(position, rng))
    return [step for step in found if game.judge(position, step).legal]


def _moves(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield moves of everything, of each source alone, and of a few mixtures."""
    most = [(area, unit, n) for area, units in option.sources.items() for unit, n in units.items()]
    mixtures = [tuple((area, unit, rng.randint(0, n)) for area, unit, n in most) for _ in range(MOVE_TRIES)]
    ways: dict[tuple[Load, ...], None] = dict.fromkeys([tuple(most), *((load,) for load in most), *mixtures])
    for moves in ways:
        taken = tuple(load for load in moves if load[2])
        if taken:
            yield Deploy(space, moves=taken)


def _shots(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield shots at areas with something to hit, with up to one unit more spent than there are enemies."""
    payload = position.board.space(space).action.payload
    for target in option.targets:
        enemies = _enemies(position, target, position.to_move_name)
        if enemies and payload:
            yield from (Deploy(space, target=target, payload=n) for n in range(1, min(option.payload, enemies + 1) + 1))
        elif enemies:
            yield Deploy(space, target=target)


def _drops(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield a drop into every area that may be targeted."""
    yield from (Deploy(space, target=target) for target in option.targets)


def _places(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield deployments of the whole amount, as far as reserve and limits allow, spread in a few ways."""
    for _ in range(PLACE_TRIES):
        place: tuple[Load, ...] = ()
        for units in _recalls(position, space, option.amount, rng):
            place += loads_of(position, option.areas, units, rng, place)
        if place:
            yield Deploy(space, place=place)


def _recalls(position: Position, space: str, amount: int, rng: random.Random) -> Iterator[tuple[str, int]]:
    """Yield units to bring from the reserve: some of those that the space limits, then the common kind."""
    board, me = position.board, position.to_move
    common, *others = board.mode.kinds_on[board.space(space).action.kind]
    support = board.space(space).support
    limit = support.siege if support else 0
    for kind in others:
        number = rng.randint(0, min(limit, position.reserve(me, kind), amount))
        limit, amount = limit - number, amount - number
        yield board.mode.units[kind].name, number
    yield board.mode.units[common].name, min(amount, position.reserve(me, common))


def _draws(position: Position, space: str, option: Offer, rng: random.Random) -> Iterator[Deploy]:
    """Yield the deployment that draws the full number of cards; which ones they are shows when they are drawn."""
    yield Deploy(space, draw=option.draw)


_WAYS: dict[str, Ways] = {"move": _moves, "shoot": _shots, "drop": _drops, "place": _places, "draw": _draws}


def loads_of(
    position: Position, areas: tuple[str, ...], units: tuple[str, int], rng: random.Random, before: Sequence[Load] = ()
) -> tuple[Load, ...]:
    """Spread units of a kind over areas at random, none beyond its limit; before: what is put there as well."""
    unit, number = units
    room: dict[str, int] = {}
    for name in areas:
        here = sum(position.units_in(name).get(position.to_move_name, {}).values())
        limit = position.board.mode.caps[position.board.area(name).kind]
        room[name] = max(0, limit - here) - sum(n for area, _, n in before if area == name)
    fancy = {name: rng.random() ** 2 for name in areas}
    put: Counter[str] = Counter()
    for _ in range(number):
        free = [name for name in areas if put[name] < room[name]]
        if not free:
            break
        put[rng.choices(free, [fancy[name] + 1e-6 for name in free])[0]] += 1
    return tuple((name, unit, n) for name, n in put.items())


def _enemies(position: Position, area: str, faction: str) -> int:
    return sum(sum(units.values()) for other, units in position.units_in(area).items() if other != faction)


def _shared(position: Position, rng: random.Random) -> Iterator[Deploy]:
    """Yield deployments to spaces that an opponent's commander holds, for each card in hand that allows it.

    They are found as if none of the opponent's commanders were on the board.
    """
    cards, me = _held(position, "share"), position.to_move
    if not cards:
        return
    mine = position.commanders[me]
    offers = game.legal(replace(position, commanders=(0, mine) if me else (mine, 0))).spaces
    for card in cards:
        for name, option in offers.items():
            space = position.board.space(name)
            if space.action.name == card.action and position.commanders[1 - me] >> space.index & 1:
                for step in _WAYS[space.action.verb](position, name, option, rng):
                    yield replace(step, cards=(card.name,))


def with_extra_commander(position: Position, step: Deploy) -> Deploy:
    """Return the deployment, made by a standby commander through a card in hand; unchanged if no such card is legal."""
    more = [replace(step, cards=(*step.cards, card.name)) for card in _held(position, "extra")]
    return next((candidate for candidate in more if game.judge(position, candidate).legal), step)


def _held(position: Position, verb: str) -> list[Card]:
    """Return the moving side's cards with this verb; none if only the size of its hand is known."""
    hand = position.hand(position.to_move_name)
    held = () if isinstance(hand, int) else hand
    return [card for card in position.board.mode.cards.values() if card.verb == verb and card.name in held]


def window_plays(position: Position, owed: Owed) -> list[Play | Reroll]:
    """Return the legal plays of cards in the open window."""
    found: list[Play | Reroll] = []
    for faction, name in dict.fromkeys(owed.cards):
        found.extend(_plays(position, position.board.mode.cards[name], faction))
    if owed.may_reroll:
        hand = position.hand(owed.by)
        found.extend(Reroll(name, owed.by) for name in dict.fromkeys(() if isinstance(hand, int) else hand))
    return [step for step in found if game.judge(position, step).legal]


def _plays(position: Position, card: Card, faction: str) -> Iterator[Play]:
    areas = [area.name for area in position.board.areas]
    mode = position.board.mode
    reserve = position.reserve(mode.faction_index[faction], mode.unit_index[card.unit]) if card.unit else 0
    if card.verb == "dice":
        yield Play(card.name, faction)
    if card.verb == "again":
        yield from (Play(card.name, faction, target=area) for area in areas if _enemies(position, area, faction))
    if card.verb == "join" and reserve:
        yield Play(card.name, faction, units=min(card.amount, reserve))
    if card.verb == "place" and reserve:
        units = min(card.amount, reserve)
        yield from (Play(card.name, faction, place=((area, card.unit, units),)) for area in areas)

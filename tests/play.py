"""Random legal play with cards, rolls and rerolls, for tests. Chance comes from the Random that is passed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random

from hypothesis import strategies as st

from engine.areas import members
from engine.orders.board import Board
from engine.orders.cards import announceable_cards
from engine.orders.game import Offer, Owed, apply, judge, legal, owed
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Accept, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step
from tests.boards.practice import BOARDS

Rows = list[list[list[int]]]
Game = Sequence[tuple[Position, Step]]
SEEDS = st.integers(0, 15)
"""Few, as all tests look at the same games, and each game is played once."""
ANY_BOARD = st.sampled_from(sorted(BOARDS))


def printed(board: Board) -> Rows:
    """Return the units of a board's printed start."""
    mode = board.mode
    rows = [[[0] * len(board.areas) for _ in mode.units] for _ in mode.factions]
    for area in board.areas:
        for faction, unit, n in area.start:
            rows[mode.faction_index[faction]][mode.unit_index[unit]][area.index] = n
    return rows


def crowded(rng: Random, board: Board) -> Rows:
    """Most areas held by somebody with many units, so that reserves run short."""
    mode = board.mode
    rows = [[[0] * len(board.areas) for _ in mode.units] for _ in mode.factions]
    for area in sorted(board.areas, key=lambda area: area.hq is None):
        faction = rng.randrange(2) if area.hq is None else mode.faction_index[area.hq]
        kind = rng.choice(mode.kinds_on[area.kind])
        left = mode.units[kind].reserve - sum(rows[faction][kind])
        rows[faction][kind][area.index] = min(left, rng.randint(1, mode.caps[area.kind]))
    return rows


def opening(rng: Random, board: Board) -> Position:
    """Return a printed start or crowded board with random tokens, initiative and readings.

    Sometimes a hand is hidden.
    """
    mode = board.mode
    rows = crowded(rng, board) if rng.random() < 0.4 else printed(board)
    first = rng.randrange(2)
    readings = [name for name, reading in mode.readings.items() if reading.other and rng.random() < 0.2]
    return Position(
        board=board,
        round=1,
        initiative=first,
        to_move=first,
        bonuses=tuple(rng.sample(sorted(mode.tokens), len(board.slots))),
        units=tuple(tuple(map(tuple, side)) for side in rows),
        commanders=(0, 0),
        commanders_left=(mode.commanders - mode.standby,) * 2,
        standby=(mode.standby, mode.standby),
        hands=((), 0 if rng.random() < 0.2 else ()),
        readings=frozenset(readings),
    )


def moments(rng: Random, position: Position) -> Iterator[tuple[Position, Step]]:
    """Play a whole game, yielding each position with the step taken in it."""
    while position.winner is None:
        step = next_step(rng, position)
        yield position, step
        position = apply(position, step)


@cache
def game(board: str, seed: int) -> Game:
    """Play a whole random game on one of the BOARDS; return each step with the position in which it was taken."""
    rng = Random(seed)
    return tuple(moments(rng, opening(rng, BOARDS[board]())))


def turn_starts(played: Game) -> list[Position]:
    """Return the positions of a game in which a new turn comes first."""
    return [position for position, _ in played if position.turn is None]


def next_step(rng: Random, position: Position) -> Step:
    """Return a random legal step, whatever is owed."""
    due = owed(position)
    if due is None:
        return turn_step(rng, position)
    if due.wants == "remove":
        return removal(rng, position, due)
    if due.wants == "return":
        return Return(rng.choice(due.spaces), due.by)
    ways: list[Step] = [play for play in plays(rng, position, due) if judge(position, play).legal]
    if ways and rng.random() < 0.5:
        return rng.choice(ways)
    if due.wants == "roll":
        n = max(1, due.dice + rng.choice((-1, 0, 0, 1, 2))) if due.loose else due.dice
        ways.append(Roll(tuple(rng.choice(position.board.mode.die) for _ in range(n)), due.by))
    else:
        ways.append(Accept())
        ways += rerolls(rng, position, due)
    return rng.choice(ways)


def turn_step(rng: Random, position: Position) -> Step:
    """Return a deployment, now and then with cards, or a pass; or first a card that the players resolve."""
    announced = announceable_cards(position)
    if announced and rng.random() < 0.1:
        faction, card = rng.choice(announced)
        return Play(card.name, position.board.factions[faction])
    now = legal(position)
    spaces = sorted(now.spaces)
    if not spaces or rng.random() < 0.05:
        return Pass()
    if rng.random() < 0.5:
        shared = sharing(rng, position)
        if shared is not None and judge(position, shared).legal:
            return shared
    space = rng.choice(spaces)
    step = deployment(rng, position, space, now.spaces[space])
    with_cards = named(rng, position, step) if rng.random() < 0.6 else None
    return with_cards if with_cards and judge(position, with_cards).legal else step


def sharing(rng: Random, position: Position) -> Deploy | None:
    """Return a deployment by card to a space that the opponent holds, or None.

    Looked up as if that commander were away.
    """
    mode, mine, theirs = position.board.mode, position.to_move, 1 - position.to_move
    by_action = {card.action: card.name for card in mode.cards.values() if card.verb == "share"}
    held = [space for space in position.board.spaces if position.commanders[theirs] >> space.index & 1]
    left = position.commanders[mine]
    away = replace(position, commanders=(left, 0) if theirs else (0, left))
    offers = legal(away).spaces if by_action and held else {}
    open_ = sorted(space.name for space in held if space.action.name in by_action and space.name in offers)
    if not open_:
        return None
    space = rng.choice(open_)
    step = deployment(rng, position, space, offers[space])
    return replace(step, cards=(by_action[position.board.space(space).action.name],))


def deployment(rng: Random, position: Position, space: str, offer: Offer) -> Deploy:
    """Return a random way to use what a space offers."""
    action = position.board.space(space).action
    if action.verb == "move":
        return Deploy(space, moves=moving(rng, position, offer))
    if action.verb == "draw":
        return Deploy(space, draw=drawing(rng, position, offer.draw))
    if action.verb == "place":
        return placing(rng, position, space, offer)
    step = Deploy(
        space, target=rng.choice(offer.targets), payload=rng.randint(1, offer.payload) if action.payload else None
    )
    return dropping(rng, position, step, offer.amount) if action.verb == "drop" else step


def dropping(rng: Random, position: Position, step: Deploy, due: int) -> Deploy:
    """Return the same drop, after a recall if the reserve is short."""
    unit = position.board.space(step.space).action.unit
    left = position.reserve(position.to_move, position.board.mode.unit_index[unit])
    if left >= due or (left and rng.random() < 0.5):
        return step
    for most in (rng.randint(1, due - left), 1):  # a reading may refuse what a bonus adds
        back = recalling(position, unit, most, {step.target or ""} if left else set())
        recalled = replace(step, recall=back)
        if judge(position, recalled).legal:
            return recalled
    return step


def moving(rng: Random, position: Position, offer: Offer) -> tuple[Load, ...]:
    """Units from one or more sources, one staying behind in each."""
    chosen = rng.sample(sorted(offer.sources), rng.randint(1, len(offer.sources)))
    loads: list[Load] = []
    for area in chosen:
        here = position.units_in(area)[position.to_move_name]
        free = sum(here.values()) - 1
        taken = rng.sample([unit for unit, n in here.items() for _ in range(n)], rng.randint(1, free))
        loads += [(area, unit, taken.count(unit)) for unit in dict.fromkeys(taken)]
    return tuple(loads)


def placing(rng: Random, position: Position, space: str, offer: Offer, recalls: bool = True) -> Deploy:
    """Units from the reserve, after a recall where it is short and may be filled, into areas that are open."""
    board, me = position.board, position.to_move
    room = {area: most_there(position, area) for area in offer.areas}
    common, *others = board.mode.kinds_on[board.space(space).action.kind]
    unit, left = board.mode.units[common].name, position.reserve(me, common)
    due = min(offer.amount, sum(room.values()))
    recall: tuple[Load, ...] = ()
    if recalls and left < due and rng.random() < 0.5:
        recall = recalling(position, unit, due - left, set(offer.areas))
    called = [unit] * min(due, left + sum(load[2] for load in recall))
    support = board.space(space).support
    for kind in others:
        most = min(position.reserve(me, kind), support.siege if support else 0, due - len(called))
        called += [board.mode.units[kind].name] * most
    counts = Counter[tuple[str, str]]()
    for unit_name in called:
        area = rng.choice([area for area, most in room.items() if most])
        room[area] -= 1
        counts[area, unit_name] += 1
    areas = dict.fromkeys(area for area, _ in counts)  # as JSON has them: all of an area's units together
    loads = tuple((area, unit_name, n) for here in areas for (area, unit_name), n in counts.items() if area == here)
    for placed in (with_siege(rng, position, space, loads), loads):
        step = Deploy(space, place=placed, recall=recall)
        if judge(position, step).legal:
            return step
    return placing(rng, position, space, offer, recalls=False) if recall else step


def most_there(position: Position, area: str) -> int:
    """How many units an area may take before its limit."""
    mine = position.units_in(area).get(position.to_move_name, {})
    return max(0, position.board.mode.caps[position.board.area(area).kind] - sum(mine.values()))


def with_siege(rng: Random, position: Position, space: str, loads: tuple[Load, ...]) -> tuple[Load, ...]:
    """Perhaps one of the units is of another kind instead, where the space allows some."""
    support, mode = position.board.space(space).support, position.board.mode
    others = [mode.units[kind].name for kind in mode.kinds_on[position.board.space(space).action.kind][1:]]
    if not loads or support is None or not support.siege or not others or rng.random() < 0.3:
        return loads
    (area, unit, n), *rest = loads
    heavy = (area, rng.choice(others), 1)
    if any(load[:2] == heavy[:2] for load in rest):
        return loads
    return ((area, unit, n - 1), heavy, *rest) if n > 1 else (heavy, *rest)


def recalling(position: Position, unit: str, short: int, keep: set[str]) -> tuple[Load, ...]:
    """Units back from areas that the placement does not use, one staying behind in each."""
    for area in position.board.areas:
        here = position.units_in(area.name).get(position.to_move_name, {})
        spare = min(here.get(unit, 0), sum(here.values()) - 1, short)
        if area.name not in keep and spare > 0:
            return ((area.name, unit, spare),)
    return ()


def drawing(rng: Random, position: Position, n: int) -> tuple[str, ...] | int:
    """Cards from what may still lie in the deck, by name where the hand is known."""
    deck = position.board.mode.deck
    seen = [card for hand in position.hands if isinstance(hand, tuple) for card in hand] + list(position.discard)
    pile = [card for card, copies in deck.items() for _ in range(copies - seen.count(card))]
    if isinstance(position.hands[position.to_move], int) or len(pile) < n:
        return n
    return tuple(rng.sample(pile, n))


def named(rng: Random, position: Position, step: Deploy) -> Deploy | None:
    """Return the same deployment with a card named in it, as far as one fits; else None."""
    hand = position.hands[position.to_move]
    action = position.board.space(step.space).action.name
    names = sorted(set(hand)) if isinstance(hand, tuple) else sorted(position.board.mode.cards)
    cards = [position.board.mode.cards[name] for name in names]
    fitting = [card for card in cards if card.action in ("", action) and card.verb not in ("share", "table")]
    return with_card(rng, step, rng.choice(fitting)) if fitting else None


def with_card(rng: Random, step: Deploy, card: Card) -> Deploy:
    """Return a deployment with one card named and perhaps used."""
    moves, place = step.moves, step.place
    if card.verb == "join":
        moves = (*moves, (RESERVE, card.unit, rng.randint(1, card.amount)))
    if card.verb == "place" and place:
        (area, unit, n), *others = place
        place = ((area, unit, n + 1), *others)
    return replace(step, moves=moves, place=place, cards=(card.name,))


def plays(rng: Random, position: Position, due: Owed) -> list[Play]:
    """Return the cards that may be played now, each in one random way."""
    return [play_of(rng, position, faction, position.board.mode.cards[card]) for faction, card in due.cards]


def play_of(rng: Random, position: Position, faction: str, card: Card) -> Play:
    """Return a random play of a card's special effect."""
    if card.verb == "place":
        assert position.turn is not None
        seizable = position.turn.seizable if card.into_enemy else 0
        areas = position.board.names(members(position.turn.places | seizable)) or (position.board.areas[0].name,)
        return Play(card.name, faction, place=((rng.choice(areas), card.unit, rng.randint(1, card.amount)),))
    if card.verb == "again":
        return Play(card.name, faction, target=rng.choice([area.name for area in position.board.areas]))
    if card.verb == "join" and rng.random() < 0.5:
        return Play(card.name, faction, units=rng.randint(1, card.amount))
    return Play(card.name, faction)


def rerolls(rng: Random, position: Position, due: Owed) -> list[Step]:
    """Return the rerolls that spending a card allows where dice lie."""
    hand = position.hand(due.by)
    cards = sorted(set(hand)) if isinstance(hand, tuple) else sorted(position.board.mode.cards)
    steps: list[Step] = [Reroll(card, due.by) for card in cards]
    fitting = [step for step in steps if due.may_reroll and judge(position, step).legal]
    return [rng.choice(fitting)] if fitting else []


def removal(rng: Random, position: Position, due: Owed) -> Remove:
    """Return a random choice of the units that are due."""
    assert due.area is not None
    here = position.units_in(due.area)[due.by]
    taken = rng.sample([unit for unit, n in here.items() for _ in range(n)], due.units)
    return Remove(tuple((unit, taken.count(unit)) for unit in dict.fromkeys(taken)), due.by, due.area)

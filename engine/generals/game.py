"""The rules of Generals Order as questions: may I (judge, examine), do it (apply), what may be done (legal)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product

from engine import journal
from engine.errors import BadPosition, Illegal
from engine.generals.book import readings, rules
from engine.generals.cards import ZONES, Deck, check_deck
from engine.generals.position import SIDES, Position, Side
from engine.generals.steps import Activate, Attack, Deploy, Equip, Move, Step, Use
from engine.generals.turn import judge_step, perform_step
from engine.ruling import Hearing, Ruling

START_HAND = 5
CASTLE = "castle"


def new_game(decks: Mapping[str, Deck], first: str, switched: Iterable[str] = ()) -> Position:
    """Both decks as resources, five cards drawn by each, and the first turn of the side that moves first.

    Game Play 1 to 5: the player that goes first draws no card on its first turn. Raises BadPosition for a deck that may
    not be played, an unknown side or reading.
    """
    if set(decks) != set(SIDES) or first not in SIDES:
        raise BadPosition(f"decks and the first player are told for {' and '.join(SIDES)}")
    sides = []
    for who in SIDES:
        objections = check_deck(decks[who]).objections
        if objections:
            raise BadPosition(f"decks.{who}: {objections[0].message} ({objections[0].citation})")
        sides.append(Side(decks[who], decks[who].size - START_HAND, START_HAND))
    return Position((sides[0], sides[1]), SIDES.index(first), readings=chosen(switched))


def chosen(switched: Iterable[str]) -> frozenset[str]:
    """The readings switched to their other answer, checked. Raises BadPosition."""
    names = frozenset(switched)
    for name in sorted(names):
        if name not in readings() or not readings()[name].other:
            raise BadPosition(f"readings.{name}: no reading of that name with another answer")
    return names


def judge(position: Position, step: Step) -> Ruling:
    """Every objection to a step; legal where there is none. Never raises, never changes anything."""
    return _hear(position, step, thorough=False)


def examine(position: Position, step: Step) -> Ruling:
    """Every criterion looked at, whether it holds or not."""
    return _hear(position, step, thorough=True)


def _hear(position: Position, step: Step, thorough: bool) -> Ruling:
    hearing = Hearing(rules(), thorough)
    judge_step(hearing, position, step)
    return hearing.close()


def apply(position: Position, step: Step) -> Position:
    """The position after a step. Raises Illegal with what `judge` objects to, and nothing else."""
    ruling = judge(position, step)
    if not ruling.legal:
        raise Illegal(ruling)
    return perform_step(position, step)


def fold(position: Position, steps: Iterable[Step]) -> Position:
    """The position after all the steps. Raises Illegal at the first one refused."""
    return journal.fold(apply, position, steps)


def replay(position: Position, steps: Iterable[Step]) -> journal.Replay[Position]:
    """The position as far as the steps are legal, and the ruling against the first that is not."""
    return journal.replay(apply, position, steps)


# --- what may be done -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Legal:
    """What the side to move may do now, by kind: {what: what it may be done to}. A turn may always end.

    deploy: cards with their cost; equip, move: cards and generals with the generals and zones they may go to; attack:
    generals with the opposing ones they may attack, "castle" among them; use, activate: cards and generals whose
    effect may be used somehow. Hands are hidden: a card is listed where it may still be in the hand.
    """

    deploy: Mapping[str, int]
    equip: Mapping[str, tuple[str, ...]]
    use: tuple[str, ...]
    activate: tuple[str, ...]
    move: Mapping[str, tuple[str, ...]]
    attack: Mapping[str, tuple[str, ...]]


def legal(position: Position) -> Legal:
    """What the side to move may do now; nothing once the game is over."""
    cards, side = position.sides[position.to_move].deck.cards, position.sides[position.to_move]
    labels = tuple(one.label for one in side.fighters)
    return Legal(
        deploy={name: position.cost(position.to_move, cards[name]) for name in cards if _may(position, Deploy(name))},
        equip=_filled({name: _some(position, labels, partial(Equip, name)) for name in cards}),
        use=tuple(name for name in cards if any(_may(position, step) for step in uses(position, name))),
        activate=tuple(label for label in labels if any(_may(position, one) for one in activations(position, label))),
        move=_filled({label: _some(position, ZONES, partial(Move, label)) for label in labels}),
        attack=_filled({label: _attacks(position, label) for label in labels}),
    )


def uses(position: Position, card: str) -> Iterator[Use]:
    """Every way in which the side to move might use a card, legal or not."""
    for general, target in _pairs(position):
        yield Use(card, position.to_move_name, general, target)


def activations(position: Position, label: str) -> Iterator[Activate]:
    """Every way in which a general of the side to move might activate its effect, legal or not."""
    for general, target in _pairs(position):
        yield Activate(label, general, target)


def _pairs(position: Position) -> Iterator[tuple[str, str]]:
    """Each own general or none, with each opposing one or none."""
    side, other = position.sides[position.to_move], position.sides[1 - position.to_move]
    own, opposing = (["", *(one.label for one in of.fighters)] for of in (side, other))
    return product(own, opposing)


def _attacks(position: Position, label: str) -> tuple[str, ...]:
    """What a general may attack; CASTLE for the castle's resources."""
    others = tuple(one.label for one in position.sides[1 - position.to_move].fighters)
    castle = (CASTLE,) if _may(position, Attack(label)) else ()
    return castle + _some(position, others, partial(Attack, label))


def _some(position: Position, names: Iterable[str], step: Callable[[str], Step]) -> tuple[str, ...]:
    return tuple(name for name in names if _may(position, step(name)))


def _filled(found: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {name: some for name, some in found.items() if some}


def _may(position: Position, step: Step) -> bool:
    return judge(position, step).legal

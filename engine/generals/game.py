"""The rules of Generals Order as questions: may I (judge, examine), do it (apply), what may be done (legal).

Beside them its book: the rules by their ids, what its text leaves open, and its sections in our own words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

from engine.errors import BadPosition
from engine.generals.cards import EQUIPMENT, LEAST_CARDS, MOST_CARDS, MOST_COPIES, VERBS, ZONES, Card, Deck, Effect
from engine.generals.position import SIDES, Position, Side
from engine.generals.steps import Activate, Attack, Deploy, Equip, Move, Step, Use
from engine.generals.tally import cost_of
from engine.generals.turn import can_answer, judge_step, perform_step
from engine.generals.words import changes
from engine.rulebook import load_book, load_readings, load_rules, switched_readings
from engine.ruling import Hearing, Ruling
from engine.system import Judge
from engine.words import mark, say, side

BOOK = "generals"
rules = cache(partial(load_rules, BOOK))
"""Every rule of the game by its id."""
readings = cache(partial(load_readings, BOOK))
"""The readings of what the text leaves open, by name."""
sections = partial(load_book, BOOK)
"""The sections of its book, by name."""
START_HAND = 5
CASTLE = "castle"


def check_deck(deck: Deck) -> Ruling:
    """Judge whether a deck may be played with: its size, and the copies of each card (Game Play 1)."""
    hearing = Hearing(rules(), thorough=True)
    hearing.weigh(
        "deck.size",
        LEAST_CARDS <= deck.size <= MOST_CARDS,
        n=deck.size,
        unit="card",
        least=LEAST_CARDS,
        most=MOST_CARDS,
    )
    copies: Counter[str] = Counter()
    for card in deck.cards.values():
        copies[_fold_title(card.title)] += card.copies
    for title in {_fold_title(card.title): card.title for card in deck.cards.values()}.values():
        n = copies[_fold_title(title)]
        hearing.weigh("deck.copies", n <= MOST_COPIES, card=title, n=n, unit="card", most=MOST_COPIES)
    hearing.weigh("deck.generals", bool(deck.factions), title=deck.title)
    return hearing.close()


def _fold_title(title: str) -> str:
    """Return a title for comparison, without differences in capitals and spaces."""
    return " ".join(title.casefold().split())


def new_game(decks: Mapping[str, Deck], first: str, switched: Iterable[str] = ()) -> Position:
    """Return the start of a game: both decks as resources, five cards drawn by each, the first side's turn.

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
    return Position((sides[0], sides[1]), SIDES.index(first), readings=switched_readings(readings(), switched))


def cut_winner(cut: Mapping[str, Card]) -> str | None:
    """Return which side decides who moves first: the one that cut the card of the higher cost (Game Play 3).

    None means that both have to cut again. Raises BadPosition where not both sides have cut.
    """
    if set(cut) != set(SIDES):
        raise BadPosition(f"cut: a card each of {' and '.join(SIDES)}")
    first, second = (cut[who].cost for who in SIDES)
    return None if first == second else SIDES[int(second > first)]


_JUDGE: Judge[Position, Step] = Judge(
    lambda position: rules(), judge_step, perform_step, readings, lambda before, after, step: changes(before, after)
)
judge, examine, apply, fold, replay = _JUDGE.judge, _JUDGE.examine, _JUDGE.apply, _JUDGE.fold, _JUDGE.replay
play, play_recorded = _JUDGE.play, _JUDGE.play_recorded


# --- what may be done -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Owed:
    """What the table may still owe: a special card of the other side, `by` (index), in answer to what was just done.

    The next step of the side to move ends it. Draws, payments, upkeep and cards over the limit of the hand answer
    themselves, as hands are numbers. cards: those that may still be in the hand; text: a sentence for people.
    """

    wants: str
    by: int
    cards: tuple[str, ...]
    text: str


def owed(position: Position) -> Owed | None:
    """Return the special cards that the other side may use now; None if there are none."""
    by = 1 - position.to_move
    cards = specials(position)
    text = say(_ANSWERS, who=side(SIDES[by]))
    return Owed("special", by, cards, text) if cards else None


_ANSWERS = mark("{who} may answer with a special card")


def specials(position: Position) -> tuple[str, ...]:
    """Return the other side's special cards that may answer what was just done, and may still be in its hand."""
    by = 1 - position.to_move
    fitting = (card.name for card in _of_kind(position.sides[by], ("special",)) if can_answer(position, card))
    return tuple(name for name in fitting if any(_is_legal(position, step) for step in uses(position, name, by)))


@dataclass(frozen=True, slots=True)
class Legal:
    """What the side to move may do now, by kind: {what: what it may be done to}. A turn may always end.

    deploy: cards with their cost; equip, move: cards and generals with the generals and zones they may go to; attack:
    generals with the opposing ones they may attack, "castle" among them; use, activate: cards and generals whose
    effect may be used somehow; specials: the other side's. Hands are hidden: a card is listed where it may still be in
    the hand.
    """

    deploy: Mapping[str, int]
    equip: Mapping[str, tuple[str, ...]]
    use: tuple[str, ...]
    activate: tuple[str, ...]
    move: Mapping[str, tuple[str, ...]]
    attack: Mapping[str, tuple[str, ...]]
    specials: tuple[str, ...]


def legal(position: Position) -> Legal:
    """Return what the side to move may do now; nothing once the game is over."""
    index = position.to_move
    side = position.sides[index]
    labels, others = (tuple(fighter.label for fighter in position.sides[who].fighters) for who in (index, 1 - index))
    deployed = [card for card in _of_kind(side, ("general",)) if _is_legal(position, Deploy(card.name))]
    worn = [card.name for card in _of_kind(side, EQUIPMENT)]
    events = [card.name for card in _of_kind(side, ("event",))]
    return Legal(
        deploy={card.name: cost_of(position, index, card).total for card in deployed},
        equip=_without_empty({name: _allowed(position, labels, partial(Equip, name)) for name in worn}),
        use=tuple(name for name in events if any(_is_legal(position, step) for step in uses(position, name))),
        activate=tuple(
            label
            for label in labels
            if any(_is_legal(position, activation) for activation in activations(position, label))
        ),
        move=_without_empty({label: _allowed(position, ZONES, partial(Move, label)) for label in labels}),
        attack=_without_empty({label: _attacks(position, label, others) for label in labels}),
        specials=specials(position),
    )


def _of_kind(side: Side, kinds: tuple[str, ...]) -> Iterator[Card]:
    """Yield the cards of these kinds of which the hand may still hold one."""
    known = side.known()
    return (card for card in side.deck.cards.values() if card.kind in kinds and known[card.name] < card.copies)


def uses(position: Position, card: str, by: int | None = None) -> Iterator[Use]:
    """Yield every use that a side might make of a card with an effect, legal or not.

    `by` is the side's index; without one, the side to move is meant.
    """
    by = position.to_move if by is None else by
    effect = position.card(by, card).effect
    for general, target in _pairs(position, by, effect):
        yield Use(card, SIDES[by], general, target)


def activations(position: Position, label: str) -> Iterator[Activate]:
    """Yield every way in which a general of the side to move might activate its effect, legal or not."""
    fighter = position.sides[position.to_move].fighter(label)
    effect = None if fighter is None else position.card(position.to_move, fighter.card).effect
    for general, target in _pairs(position, position.to_move, effect):
        yield Activate(label, general, target)


def _pairs(position: Position, by: int, effect: Effect | None) -> Iterator[tuple[str, str]]:
    """Pair each general that an effect may be about with each opposing one, as far as it names any."""
    needs = () if effect is None else VERBS[effect.verb]
    sides = {"general": position.sides[by], "target": position.sides[1 - by]}
    own, opposing = (
        [fighter.label for fighter in side.fighters] if what in needs else [""] for what, side in sides.items()
    )
    return iter(()) if effect is None else product(own, opposing)


def _attacks(position: Position, label: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """Return the generals that a general may attack; CASTLE stands for the castle's resources."""
    castle = (CASTLE,) if _is_legal(position, Attack(label)) else ()
    return castle + _allowed(position, others, partial(Attack, label))


def _allowed(position: Position, names: Iterable[str], step: Callable[[str], Step]) -> tuple[str, ...]:
    return tuple(name for name in names if _is_legal(position, step(name)))


def _without_empty(found: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {name: some for name, some in found.items() if some}


def _is_legal(position: Position, step: Step) -> bool:
    return judge(position, step).legal

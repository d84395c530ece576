"""Whether two decks of the card game are a fair match, and whether all that is in them comes up: whole games.

    python -m benchmarks.decks [--deck D --deck D] [--games 1000] [--seed 1]

Without decks, the practice decks play; yours may, once they are on the shelf. The demo's player plays both sides; each
deck is red in half of the games, and moves first in half of them. Told are the share of games that the first deck wins,
and whoever moves first, with the 95 % interval of Wilson; the turns; how the games end; and in how many games each
card, verb and trigger came up.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, quantiles

from benchmarks.fairness import Ended, count_starter_wins, count_wins, coverage_lines, reasons, share_text
from companion.content.decks import DECKS
from companion.demo.generals_player import PRACTICE, GeneralsPlayer
from engine.generals.cards import Deck, load_deck
from engine.generals.game import apply, new_game
from engine.generals.position import SIDES, Position
from engine.generals.steps import Activate, Attack, Deploy, Equip, Move, Step, Use
from engine.generals.tally import features

MOST_STEPS = 2000


@dataclass(frozen=True)
class Stepped(Ended):
    """A game of two decks, each side named by its deck, with its steps."""

    steps: int


def play_game(decks: tuple[Deck, Deck], seed: int) -> Stepped:
    """Play a whole game; its seed says which deck is red and who moves first."""
    ordered = decks if seed % 2 else decks[::-1]
    position = new_game(dict(zip(SIDES, ordered, strict=True)), SIDES[seed // 2 % 2])
    starter = position.sides[position.to_move].deck.name
    player, events, steps = GeneralsPlayer(seed), set[str](), 0
    while (step := player.step(position)) is not None and steps < MOST_STEPS:
        events.update(happenings(position, step))
        position = apply(position, step)
        steps += 1
    if position.reason == "card":
        events.add("feature win")
    winner = "" if position.winner is None else position.sides[position.winner].deck.name
    return Stepped(winner, position.reason, starter, position.turn, frozenset(events), steps)


def happenings(position: Position, step: Step) -> Iterator[str]:
    """Yield what a step brings up: "card snare", "verb strike", "step move", "answer castle", "feature kin" ..."""
    index = position.to_move if not isinstance(step, Use) else SIDES.index(step.by)
    deck = position.sides[index].deck
    yield f"step {type(step).__name__.lower()}"
    match step:
        case Deploy() | Equip() | Use():
            card = deck.cards[step.card]
            yield f"card {card.name}"
            if card.kind in ("event", "special") and card.effect is not None:
                yield f"verb {card.effect.verb}"
            if card.kind == "special":
                yield f"answer {card.after}"
        case Activate():
            yield from _activation_events(position, step)
        case Attack() | Move():
            yield f"{type(step).__name__.lower()} {'castle' if not getattr(step, 'target', ' ') else 'general'}"
    for number, side in enumerate(position.sides):
        for fighter in side.fighters:
            yield from (f"feature {feature.verb}" for feature in features(position, number, fighter))


def _activation_events(position: Position, step: Activate) -> Iterator[str]:
    fighter = position.sides[position.to_move].fighter(step.general)
    effect = None if fighter is None else position.card(position.to_move, fighter.card).effect
    if fighter is not None and effect is not None:
        yield f"effect {fighter.card}"
        yield f"verb {effect.verb}"


def expected_events(decks: tuple[Deck, Deck]) -> set[str]:
    """Return everything that has to come up, if all that is in the decks is to be met."""
    cards = [card for deck in decks for card in deck.cards.values()]
    names = {f"card {card.name}" for card in cards}
    verbs = {f"verb {card.effect.verb}" for card in cards if card.effect is not None}
    found = {f"feature {card.feature.verb}" for card in cards if card.feature is not None}
    return names | verbs | found | {f"answer {card.after}" for card in cards if card.after}


def report(decks: tuple[Deck, Deck], games: Sequence[Stepped]) -> str:
    """Return all the figures of two decks' games."""
    (first, second), of = decks, len(games)
    ends = ", ".join(f"{reason or 'not ended'} {100 * n / of:.1f} %" for reason, n in reasons(games).items())
    turns = sorted(game.turns for game in games)
    low, *_others, high = quantiles(turns, n=20)
    lines = [
        f"{first.name} against {second.name}: {of} games",
        f"  {mean(turns):.0f} turns each (9 of 10 games: {low:.0f} to {high:.0f}), "
        f"{mean(game.steps for game in games):.0f} steps",
        f"  {first.name} wins {share_text(count_wins(games, first.name), of)}",
        f"  who moves first wins {share_text(count_starter_wins(games), of)}",
        f"  ends: {ends}",
        *coverage_lines(games, expected_events(decks)),
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--deck", action="append", help="a deck; twice, for the two that play")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    DECKS.register()
    first, second = map(load_deck, args.deck or PRACTICE)
    games = [play_game((first, second), seed) for seed in range(args.seed, args.seed + args.games)]
    print(report((first, second), games))


if __name__ == "__main__":
    main()

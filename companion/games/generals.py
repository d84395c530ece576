"""Saved games of Generals Order."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.summary import BETWEEN, GameSummary, Records
from engine.generals.cards import deck_names
from engine.generals.position import SIDES, Position, card_of


def _summary(position: Position) -> GameSummary:
    decks = [side.deck for side in position.sides]
    return GameSummary(
        system="generals",
        board=BETWEEN.join(deck.name for deck in decks),
        sides=SIDES,
        round=position.turn,
        to_move=position.to_move_name,
        winner=position.winner_name or "",
        title="\n".join(deck.title for deck in decks),
    )


def _cards(position: Position) -> Mapping[str, Collection[str]]:
    return {card.name: (card.title,) for side in position.sides for card in side.deck.cards.values()}


RECORDS = Records(_summary, deck_names, cards=_cards, card_of=card_of)

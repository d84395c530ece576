"""Decks and their cards in words and blocks: what a deck is, whether it may be played, and what each card does."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _, plural
from companion.text.generals import card_note, kind_title
from companion.text.orders import card_count, join_words, sentence
from companion.ui.screen import Block, Check, Checks, DeckCard, DeckCards, Slip, Text, Verdict
from engine.generals.cards import KINDS, Card, Deck
from engine.generals.game import check_deck

PRACTICE = "practice"


def deck_title(deck: Deck) -> str:
    """Return a deck's name as people call it: our own decks have one in every language."""
    return _(deck.title)


def is_playable(deck: Deck) -> bool:
    """Return whether the rules let a deck be played."""
    return check_deck(deck).legal


def deck_note(deck: Deck) -> str:
    """Return a deck in a few words: its size, its hand limit and that it is for practice; or what is against it."""
    ruling = check_deck(deck)
    if not ruling.legal:
        return sentence(ruling.objections[0].message)
    parts = [card_count(deck.size), _("hand limit {n}").format(n=deck.hand_limit)]
    return " · ".join([*parts, _("practice")] if deck.known == PRACTICE else parts)


def deck_check(deck: Deck) -> tuple[Block, ...]:
    """Say whether a deck may be played, each criterion with where it is written; its factions and what follows."""
    ruling = check_deck(deck)
    against = tuple(
        Slip(sentence(objection.message), "", str(objection.citation), mark="no") for objection in ruling.objections
    )
    kept = [finding for finding in ruling.findings if finding.holds and finding.rule != "deck.copies"]
    copies = [finding for finding in ruling.findings if finding.rule == "deck.copies"]
    checks = [*(Check(sentence(finding.message), str(finding.citation)) for finding in kept), _factions(deck)]
    if copies and all(finding.holds for finding in copies):
        told = plural(
            "{n} title, no more than three copies", "{n} titles, no more than three copies of each", len(copies)
        )
        checks.insert(1, Check(told, str(copies[0].citation)))
    text = _("This deck is legal.") if ruling.legal else _("This deck isn't legal yet.")
    return Verdict(ruling.legal, text), *against, Checks(tuple(checks))


def _factions(deck: Deck) -> Check:
    """Return the check of a deck's factions, with the limit of the hand that follows from them."""
    form = _("{factions}: hand limit {cards}")
    told = form.format(factions=join_words(deck.factions) or _("no faction"), cards=card_count(deck.hand_limit))
    return Check(told, "Game Play 2")


def deck_known(deck: Deck) -> tuple[Block, ...]:
    """Return what people should know of cards that were made up; nothing for any others."""
    if deck.known != PRACTICE:
        return ()
    told = _("Practice cards: the rulebook doesn't show the printed ones, so these are invented.")
    return (Text(told, "warn"),)


def deck_cards(deck: Deck) -> tuple[Block, ...]:
    """Return all cards of a deck by kind."""
    found: list[Block] = []
    for kind in KINDS:
        cards = tuple(deck_card(card) for card in deck.cards.values() if card.kind == kind)
        if cards:
            found += [Text(kind_title(kind), "strong"), DeckCards(cards)]
    return tuple(found)


def deck_sample(deck: Deck, most: int) -> DeckCards:
    """Return some of the generals of a deck, to tell the deck by: the dearest first."""
    generals = [card for card in deck.cards.values() if card.kind == "general"]
    generals.sort(key=lambda card: -card.cost)
    return DeckCards(tuple(replace(deck_card(card), copies=0) for card in generals[:most]))


def deck_costing(deck: Deck, cost: int, most: int) -> tuple[DeckCard, ...]:
    """Return some of a deck's cards of that cost, generals first."""
    found = [card for card in deck.cards.values() if card.cost == cost]
    found.sort(key=lambda card: card.kind != "general")
    return tuple(replace(deck_card(card), copies=0) for card in found[:most])


def deck_card(card: Card) -> DeckCard:
    """Return a card as a screen shows it, with its points, or in our words."""
    if card.kind != "general":
        return DeckCard(
            card.title, card.cost, card.faction or kind_title(card.kind), None, card_note(card), card.copies
        )
    return DeckCard(card.title, card.cost, card.faction, (card.military, card.intelligence), "", card.copies)

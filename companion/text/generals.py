"""Steps, cards, generals and decks of the card game in sentences and names of the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.core.language import _, plural
from companion.text.orders import card_count, faction_name, join_words, sentence
from companion.text.people import People
from companion.ui.screen import Block, Check, Checks, DeckCard, DeckCards, Slip, Text, Verdict
from engine.generals.cards import KINDS, Card, Deck
from engine.generals.game import check_deck
from engine.generals.position import SIDES, Position
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Step, Use
from engine.generals.words import effect_words, feature_words, general_words, reason_words, zone_words
from engine.words import say


def card_title(position: Position, index: int, name: str) -> str:
    """Return a card's title, or its name in the file if the deck doesn't have it."""
    card = position.sides[index].deck.cards.get(name)
    return card.title if card is not None else name


def general_title(position: Position, index: int, label: str) -> str:
    """Return the title of a general on the battlefield, with its number where several of them stand there."""
    fighter = position.sides[index].fighter(label)
    if fighter is None:
        return card_title(position, index, label.partition("-")[0])
    return general_words(position, index, fighter)


def spoken_names(message: str, position: Position) -> str:
    """Return a message of the engine with generals' and cards' titles in place of their names.

    Replaced are the names of what is on the battlefield, and of any card whose name has a "_", as no word has.
    """
    titles = {name: card.title for side in position.sides for name, card in side.deck.cards.items() if "_" in name}
    for index, side in enumerate(position.sides):
        titles |= {fighter.label: general_words(position, index, fighter) for fighter in side.fighters}
        titles |= {name: card_title(position, index, name) for fighter in side.fighters for name in fighter.equipment}
    return _replace_names(message, titles)


def named_sides(message: str, people: People) -> str:
    """Return a message of the engine with the players' names in place of the sides' colours."""
    return _replace_names(message, {say(seat): people.name(seat) for seat in SIDES})


def _replace_names(message: str, names: Mapping[str, str]) -> str:
    """Return the message with whole words, the longest first, replaced by others."""
    if not names:
        return message
    longest_first = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(rf"(?<![\w-])({longest_first})(?![\w-])", lambda found: names[found[1]], message)


# ---- steps ----------------------------------------------------------------------------------------


def step_line(step: Step, before: Position, people: People) -> str:
    """Return a step, taken in the position `before`, as a sentence."""
    return _LINES[type(step)](step, before, people)


def _deploy(step: Deploy, before: Position, people: People) -> str:
    index = before.to_move
    card = before.sides[index].deck.cards[step.card]
    form = _("{who} deploys {card}, {where}.")
    return form.format(who=_mover(before, people), card=card.title, where=zone_words(card.arrives))


def _equip(step: Equip, before: Position, people: People) -> str:
    index = before.to_move
    general, card = general_title(before, index, step.general), card_title(before, index, step.card)
    return _("{who} equips {general} with {card}.").format(who=_mover(before, people), card=card, general=general)


def _use(step: Use, before: Position, people: People) -> str:
    index = SIDES.index(step.by)
    form = _("{who} plays {card}") if index == before.to_move else _("{who} answers with {card}")
    text = form.format(who=people.name(step.by), card=card_title(before, index, step.card))
    return _with_names(text, _card_names(before, index, (step.general, step.target)))


def _activate(step: Activate, before: Position, people: People) -> str:
    index = before.to_move
    form = _("{who}: {general} uses its special effect")
    text = form.format(who=_mover(before, people), general=general_title(before, index, step.general))
    return _with_names(text, _card_names(before, index, (step.to, step.target)))


def _card_names(before: Position, index: int, named: tuple[str, str]) -> list[str]:
    """Return the titles of the generals that an effect is about: an own one, then an opposing one."""
    own, other = named
    titles = [general_title(before, index, own)] if own else []
    return [*titles, general_title(before, 1 - index, other)] if other else titles


def _with_names(text: str, named: list[str]) -> str:
    return f"{text}: {', '.join(named)}." if named else f"{text}."


def _move(step: Move, before: Position, people: People) -> str:
    form = _("{who}: {general} moves; now {where}.")
    general = general_title(before, before.to_move, step.general)
    return form.format(who=_mover(before, people), general=general, where=zone_words(step.to))


def _attack(step: Attack, before: Position, people: People) -> str:
    general = general_title(before, before.to_move, step.general)
    if not step.target:
        form = _("{who}: {general} attacks {other}'s castle.")
        return form.format(who=_mover(before, people), general=general, other=people.name(SIDES[1 - before.to_move]))
    target = general_title(before, 1 - before.to_move, step.target)
    return _("{who}: {general} attacks {target}.").format(who=_mover(before, people), general=general, target=target)


def _end(_step: End, before: Position, people: People) -> str:
    return _("{who} ends the turn.").format(who=_mover(before, people))


def _agreement(step: Agreed, before: Position, people: People) -> str:
    """Return what was agreed on, thing by thing."""
    index = SIDES.index(step.side)
    parts = [f"{pile_title(pile)} {n}" for pile, n in step.numbers.items()]
    for label, row in step.generals.items():
        title = general_title(before, index, label)
        parts.append(_("{general} removed").format(general=title) if row is None else title)
    if step.defeated is not None:
        parts.append(_("{cards} in the Defeated zone").format(cards=card_count(len(step.defeated))))
    if step.winner:
        parts.append(_("{who} wins").format(who=people.name(step.winner)))
    told = _("Agreed for {who}: {what}.").format(
        who=people.name(step.side), what=join_words(parts) or _("nothing changes")
    )
    return f"{told} ({step.note})" if step.note else told


def _mover(before: Position, people: People) -> str:
    return people.name(before.to_move_name)


_LINES: dict[type[Step], Callable[[Any, Position, People], str]] = {
    Deploy: _deploy, Equip: _equip, Use: _use, Activate: _activate, Move: _move, Attack: _attack, End: _end,
    Agreed: _agreement,
}  # fmt: skip


def step_question(step: Step, position: Position) -> str:
    """Return the question of somebody who asks whether a step is allowed: "Can Ana be deployed?"."""
    index = position.to_move
    match step:
        case Deploy(card):
            return _("Can {card} be deployed?").format(card=card_title(position, index, card))
        case Equip(card, general):
            names = {"card": card_title(position, index, card), "general": general_title(position, index, general)}
            return _("Can {general} be equipped with {card}?").format(**names)
        case Use(card, by):
            return _("Can {card} be played?").format(card=card_title(position, SIDES.index(by), card))
        case Activate(general) | Move(general) | Attack(general):
            return _question_of(step, position, general_title(position, index, general))
    return _("Can the turn end?") if isinstance(step, End) else _("Can you agree on that?")


def _question_of(step: Activate | Move | Attack, position: Position, general: str) -> str:
    """Return the question about a general on the battlefield."""
    match step:
        case Activate():
            return _("Can {general} use its effect?").format(general=general)
        case Move(_, to):
            return _may_go(to).format(general=general)
        case Attack(_, target) if target:
            other = general_title(position, 1 - position.to_move, target)
            return _("Can {general} attack {target}?").format(general=general, target=other)
    return _("Can {general} attack the castle?").format(general=general)


def _may_go(zone: str) -> str:
    """Return the question whether a general may go to a zone."""
    asked = {
        "city": _("Can {general} go into its city?"), "outside": _("Can {general} go outside its city?"),
    }  # fmt: skip
    return asked.get(zone, _("Can {general} go to the opponent's city?"))


# ---- names ----------------------------------------------------------------------------------------


def goal_words(zone: str) -> str:
    """Return the zone that a player's own general goes to, in words: "inside its city"."""
    names = {
        "city": _("inside its city"), "outside": _("outside its city"), "siege": _("outside the opponent's city"),
    }  # fmt: skip
    return names.get(zone, zone)


def way_title(zone: str) -> str:
    """Return a general's move to a zone as an instruction: "Go into its city"."""
    names = {
        "city": _("Go into its city"), "outside": _("Go outside its city"), "siege": _("Go to the opponent's city"),
    }  # fmt: skip
    return names[zone]


def zone_title(kind: str, seat: str) -> str:
    """Return the heading of a zone of the battlefield."""
    form = _("Inside {who}'s city") if kind == "city" else _("Outside {who}'s city")
    return form.format(who=faction_name(seat))


def pile_title(pile: str) -> str:
    """Return the heading of a pile."""
    names = {
        "resources": _("Resources"), "hand": _("Hand"), "expended": _("Expended"), "defeated": _("Defeated"),
    }  # fmt: skip
    return names[pile]


def kind_title(kind: str) -> str:
    """Return the heading of a kind of card."""
    names = {
        "general": _("General"), "item": _("Item card"), "troop": _("Troop card"), "event": _("Event card"),
        "special": _("Special card"),
    }  # fmt: skip
    return names[kind]


def card_note(card: Card) -> str:
    """Return a card in a few words: a general's faction and points, what equipment adds, or what an effect does."""
    if card.kind == "general":
        return f"{card.faction} · {card.military}/{card.intelligence}"
    if card.effect is not None:
        return effect_words(card.effect)
    return " · ".join(filter(None, (points_note(card), feature_words(card.feature) if card.feature else "")))


def card_facts(card: Card) -> str:
    """Return what a card is and does in full, for a card that is looked at."""
    if card.kind == "general":
        points = _("{n} military, {m} intelligence").format(n=card.military, m=card.intelligence)
        return f"{card.faction} · {points}"
    return card_note(card)


def points_note(card: Card) -> str:
    """Return what equipment adds: "+2 military, +1 intelligence"."""
    added = ((_("{n} military"), card.military), (_("{n} intelligence"), card.intelligence))
    return ", ".join(form.format(n=f"+{n}") for form, n in added if n)


def state_words(fresh: bool, acted: bool, used: bool) -> str:
    """Say what a general has done this turn, or that it can act."""
    parts = [
        text
        for text, holds in (
            (_("deployed this turn"), fresh), (_("already moved or attacked"), acted), (_("effect already used"), used),
        )
        if holds
    ]  # fmt: skip
    return join_words(parts) or _("can act")


CRITERIA = {"draw": 1, "damage": 2, "upkeep": 3, "card": 4}
"""The Winning Criteria by the reasons of the engine."""


def outcome_words(position: Position, people: People) -> str:
    """Say why a game with a winner ended, citing the Winning Criterion if it was one."""
    assert position.winner is not None
    reason = position.reason
    if reason not in CRITERIA:
        return sentence(reason_words(reason))
    cite = _("Winning Criteria {n}").format(n=CRITERIA[reason])
    if reason == "card":
        return f"{sentence(reason_words(reason)).removesuffix('.')} ({cite})."
    loser = people.name(SIDES[1 - position.winner])
    return _("{who}: {why} ({cite}).").format(who=loser, why=reason_words(reason), cite=cite)


# ---- decks ---------------------------------------------------------------------------------------


PRACTICE = "practice"


def deck_title(deck: Deck) -> str:
    """Return a deck's title; our own decks' are translated."""
    return _(deck.title)


def is_playable(deck: Deck) -> bool:
    """Return whether the rules let a deck be played."""
    return check_deck(deck).legal


def deck_note(deck: Deck) -> str:
    """Return a deck in a few words: its size, its hand limit and "practice"; or why it isn't legal."""
    ruling = check_deck(deck)
    if not ruling.legal:
        return sentence(ruling.objections[0].message)
    parts = [card_count(deck.size), _("hand limit {n}").format(n=deck.hand_limit)]
    return " · ".join([*parts, _("practice")] if deck.known == PRACTICE else parts)


def deck_check(deck: Deck) -> tuple[Block, ...]:
    """Return blocks that say whether a deck is legal: criteria with their citations, its factions and hand limit."""
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


def invented_warning(deck: Deck) -> tuple[Block, ...]:
    """Return a block that warns of a deck's made-up cards; none for any other deck."""
    if deck.known != PRACTICE:
        return ()
    told = _("Practice cards: the rulebook doesn't show the printed ones, so these are invented.")
    return (Text(told, "warn"),)


def deck_cards(deck: Deck) -> tuple[Block, ...]:
    """Return blocks with all cards of a deck, kind by kind."""
    found: list[Block] = []
    for kind in KINDS:
        cards = tuple(deck_card(card) for card in deck.cards.values() if card.kind == kind)
        if cards:
            found += [Text(kind_title(kind), "strong"), DeckCards(cards)]
    return tuple(found)


def deck_sample(deck: Deck, most: int) -> DeckCards:
    """Return a block with at most `most` of a deck's generals, the dearest first, to tell the deck by."""
    generals = [card for card in deck.cards.values() if card.kind == "general"]
    generals.sort(key=lambda card: -card.cost)
    return DeckCards(tuple(replace(deck_card(card), copies=0) for card in generals[:most]))


def deck_costing(deck: Deck, cost: int, most: int) -> tuple[DeckCard, ...]:
    """Return at most `most` of a deck's cards of that cost, generals first."""
    found = [card for card in deck.cards.values() if card.cost == cost]
    found.sort(key=lambda card: card.kind != "general")
    return tuple(replace(deck_card(card), copies=0) for card in found[:most])


def deck_card(card: Card) -> DeckCard:
    """Return a card as a screen shows it: a general with its points, any other with its note."""
    if card.kind != "general":
        return DeckCard(
            card.title, card.cost, card.faction or kind_title(card.kind), None, card_note(card), card.copies
        )
    return DeckCard(card.title, card.cost, card.faction, (card.military, card.intelligence), "", card.copies)

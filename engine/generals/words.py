"""Zones, kinds of cards, effects and features in words."""

from __future__ import annotations

from engine.generals.cards import Effect, Feature
from engine.words import counted, mark, say

_ZONES = {
    "city": mark("inside its city"),
    "outside": mark("outside its city"),
    "siege": mark("outside the opponent's city"),
}
_KINDS = {
    "general": mark("a general"),
    "item": mark("an item card"),
    "troop": mark("a troop card"),
    "event": mark("an event card"),
    "special": mark("a special card"),
}
_TRIGGERS = {
    "draw": mark("the draw that begins a turn"),
    "deploy": mark("a deployment"),
    "equip": mark("equipment"),
    "event": mark("an event card"),
    "effect": mark("a special effect"),
    "move": mark("a move"),
    "attack": mark("an attack on a general"),
    "castle": mark("an attack on the castle"),
}
_REASONS = {
    "": "",
    "draw": mark("no resource card was left to draw"),
    "damage": mark("there were not enough resource cards for the damage"),
    "upkeep": mark("there were not enough resource cards for the upkeep"),
    "card": mark("a card says so"),
    "agreed": mark("the players agreed on it"),
}
REASONS = tuple(_REASONS)


def reason_words(reason: str) -> str:
    """Why the game ended."""
    return say(_REASONS[reason])


def zone_words(zone: str) -> str:
    """Which zone a general is in."""
    return say(_ZONES[zone])


def kind_words(kind: str) -> str:
    """What kind of card it is."""
    return say(_KINDS[kind])


def trigger_words(trigger: str) -> str:
    """What a special card answers."""
    return say(_TRIGGERS[trigger])


_VERBS = {
    "draw": mark("draw {n_card}"),
    "damage": mark("{n_card} of the opponent's resources to the expended zone"),
    "discard": mark("{n_card} of the opponent's hand to the expended zone"),
    "win": mark("the game is won"),
    "table": mark("as the card says"),
    "military": mark("+{n} military for a general until the end of the turn"),
    "intelligence": mark("+{n} intelligence for a general until the end of the turn"),
    "ready": mark("a general may move or attack once more"),
    "withdraw": mark("an opposing general returns to its owner's hand"),
    "defeat": mark("an opposing general is defeated"),
    "disarm": mark("an opposing general loses its equipment"),
    "weaken": mark("-{n} military for an opposing general until the end of the turn"),
    "strike": mark("intelligence attack by a general"),
}
_FEATURES = {
    "military": mark("+{n} military"),
    "intelligence": mark("+{n} intelligence"),
    "win": mark("the game is won"),
    "table": mark("as the card says"),
}
_WHENS = {
    "always": mark("always"),
    "city": mark("inside its city"),
    "outside": mark("outside its city"),
    "siege": mark("outside the opponent's city"),
    "alone": mark("alone in its zone"),
    "company": mark("with {n_general} of its side in its zone"),
    "kin": mark("with {n_general} of its faction on the battlefield"),
    "facing": mark("with {n_general} of the opponent in its zone"),
    "equipped": mark("with {n_card} of equipment"),
    "table": mark("as the players judge it"),
}


def effect_words(effect: Effect) -> str:
    """What an effect does; the card's own words where it has some.

    >>> effect_words(Effect("draw", 2)), effect_words(Effect("table", text="Ask a riddle."))
    ('draw 2 cards', 'Ask a riddle.')
    """
    return effect.text or say(_VERBS[effect.verb], n=effect.amount, n_card=counted(effect.amount, "card"))


def feature_words(feature: Feature) -> str:
    """What a feature does and when; the card's own words where it has some.

    >>> feature_words(Feature("military", "kin", 2, 3))
    '+3 military: with 2 generals of its faction on the battlefield'
    """
    if feature.text:
        return feature.text
    gain = say(_FEATURES[feature.verb], n=feature.amount)
    return say("{gain}: {when}", gain=gain, when=when_words(feature))


def when_words(feature: Feature) -> str:
    """A feature's criterion; "with 2 generals" is 2 or more."""
    n = feature.least
    return say(_WHENS[feature.when], n_general=counted(n, "general"), n_card=counted(n, "card"))

"""Zones and kinds of cards in words."""

from __future__ import annotations

from engine.words import mark, say

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
    """Where a general stands."""
    return say(_ZONES[zone])


def kind_words(kind: str) -> str:
    """What kind of card it is."""
    return say(_KINDS[kind])


def trigger_words(trigger: str) -> str:
    """What a special card answers."""
    return say(_TRIGGERS[trigger])

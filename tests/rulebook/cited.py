"""Where every rule is to be cited from, by section, written down from the rulebooks to be checked by eye.

An entry is a rule, `rule@action` for a rule that is cited so in a turn of that action, or `name.*` for all other rules
of that name. "limits" are units over an area's limit, "reroll" is the roll for which a card was spent, "return" is a
commander to give back. The sections are those that are printed, with the page that the book tells; "not printed" is
what no section says.
"""

from __future__ import annotations

from typing import NamedTuple

SENGOKU = {
    "Components": "roll.face agreed.box agreed.commanders agreed.cards",
    "Setup": "faction.known card.known agreed.token agreed.token-twice",
    "Areas & Adjacency": "area.known",
    "Unit Restrictions, p. 7": """
        advance.kind sail.kind reinforce.kind embark.kind agreed.kind
        remove.owed@limits remove.number@limits remove.units@limits limit.end
    """,
    "Control": "recall.entered",
    "Insufficient Units": "reserve.short recall.*",
    "How to Play": "agreed.round",
    "Deploy Commanders": "turn.owed commander.left agreed.passed extra.standby",
    "Recall Commanders": "return.owed",
    "Game End, p. 10": "game.*",
    "Actions, p. 12": "space.known space.occupied roll.owed remove.owed",
    "Advance": "advance.*",
    "Sail": "sail.*",
    "Bombard": """
        bombard.*
        roll.owed@bombard roll.by@bombard roll.dice@bombard
        remove.owed@bombard remove.number@bombard remove.units@bombard
    """,
    "Shell": """
        shell.*
        roll.owed@shell roll.by@shell roll.dice@shell remove.owed@shell remove.number@shell remove.units@shell
    """,
    "Siege": """
        siege.*
        roll.owed@siege roll.by@siege roll.dice@siege remove.owed@siege remove.number@siege remove.units@siege
    """,
    "Reinforce": "reinforce.* place.whole@reinforce",
    "Embark": "embark.* place.whole@embark",
    "Plan": "plan.*",
    "Conflicts, p. 29": """
        roll.by@advance roll.dice@advance roll.by@sail roll.dice@sail roll.by@embark roll.dice@embark
        roll.owed@advance remove.owed@advance remove.number@advance remove.units@advance
        roll.owed@sail remove.owed@sail remove.number@sail remove.units@sail
        roll.owed@embark remove.owed@embark remove.number@embark remove.units@embark
    """,
    "Area Bonuses": "bonus.moment",
    "Operation Cards": "card.* reroll.owed reroll.own roll.dice@reroll commandeer.* counterattack.space",
    "not printed": """
        plan.copies accept.window reading.known agreed.dice agreed.cards@copies step.form deploy.form card.form
    """,
}

WWII = {
    "Components": "plan.copies agreed.box agreed.commanders agreed.cards",
    "Game Board Spotlight": "area.known agreed.kind",
    "Setup": "faction.known card.known agreed.token agreed.token-twice",
    "Deploy Commanders": "turn.owed commander.left commander.extra pass.final",
    "Recall Commanders": "extra.standby",
    "Ending the Game": "game.* agreed.round plan.taken plan.kept",
    "Control": "recall.entered",
    "Supply": "supply.home-zone",
    "Actions, p. 11": "space.known space.occupied roll.owed remove.owed",
    "Advance": "advance.*",
    "Fly": "fly.*",
    "Paradrop": "paradrop.*",
    "Barrage": "barrage.* roll.owed@barrage roll.by@barrage roll.dice@barrage remove.owed@barrage",
    "Bomb": "bomb.* roll.owed@bomb roll.by@bomb roll.dice@bomb remove.owed@bomb",
    "Reinforce": "reinforce.* place.whole@reinforce limit.end limit.added",
    "Not Enough Troops?": "reserve.short recall.*",
    "Plan": "plan.*",
    "Take-off": "take_off.* place.whole@take_off limit.end@fly limit.end@take_off",
    "Not Enough Aircraft?": """
        reserve.short@fly recall.kind@fly recall.control@fly recall.last-unit@fly recall.short@fly recall.beyond@fly
        recall.more@fly recall.more@take_off
        reserve.short@take_off recall.kind@take_off recall.control@take_off recall.last-unit@take_off
        recall.short@take_off recall.beyond@take_off
    """,
    "Land Conflicts, p. 18": """
        roll.owed@advance roll.by@advance roll.dice@advance roll.both@advance roll.zone@advance remove.owed@advance
        roll.owed@paradrop roll.by@paradrop roll.dice@paradrop roll.both@paradrop roll.zone@paradrop
        remove.owed@paradrop
    """,
    "Air Conflicts, p. 19": """
        roll.owed@fly roll.by@fly roll.dice@fly remove.owed@fly
        roll.owed@take_off roll.by@take_off roll.dice@take_off remove.owed@take_off
    """,
    "Operation Cards": "card.* reroll.owed reroll.own roll.dice@reroll counterattack.space",
    "Area Bonuses, p. 22": "return.owed return.own bonus.gain bonus.moment",
    "not printed": "roll.face accept.window reading.known agreed.dice step.form deploy.form card.form",
}

TABLES = {"sengoku": SENGOKU, "wwii": WWII}


class Asked(NamedTuple):
    """A rule, and the action of the turn in which it is asked for."""

    rule: str
    action: str


def sections(book: str, asked: Asked) -> list[str]:
    """Return the sections whose entries fit closest: by rule and action, by rule, then by the rule's name."""
    rule, action = asked
    for entry in (f"{rule}@{action}", rule, f"{rule.partition('.')[0]}.*"):
        found = [section for section, entries in TABLES[book].items() if entry in entries.split()]
        if found:
            return found
    return []

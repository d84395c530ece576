"""What is on the table's screen in Sonae: icons and figures, and any unit on the field."""

from __future__ import annotations

from companion.core.language import _
from companion.text.meanings.meaning import Meaning, Meanings, find
from companion.ui.battlefield_picture import FieldPicture
from engine.words import mark

SONAE: Meanings = {
    "round:": Meaning(
        mark("Turn"),
        mark("A turn ends when every division has acted. In the bag: tokens still to draw."),
        "activations",
    ),
    "points": Meaning(mark("Units left"), mark("How many units this army still has on the field."), "winning"),
    "ahead": Meaning(mark("Objective"), mark("This army holds the battle's objective now."), "winning"),
    "side:": Meaning(
        mark("Army"), mark("Units, tokens, orders and the general of this army. Touch it to see what each means.")
    ),
    "bag": Meaning(
        mark("Tokens in the bag"),
        mark("Each lets one more division act this turn. They are drawn blind."),
        "activations",
    ),
    "advance": Meaning(mark("Orders left"), mark("How many orders the acting division can still give."), "orders"),
    "maku": Meaning(
        mark("Encamped general"), mark("Stays put, has its defences, and can send a messenger."), "army-general"
    ),
    "horse": Meaning(
        mark("Mobile general"),
        mark("Rides with the bodyguard: moves further and fights harder, but sends no messengers."),
        "army-general",
    ),
    "cross": Meaning(mark("General lost"), mark("This army's general has fallen."), "lost-commanders"),
    "hurt": Meaning(
        mark("Shaken units"),
        mark("How many units are wavering or brittle. They fight with fewer dice."),
        "status-ladder",
    ),
    "kind-normal": Meaning(mark("Standard unit"), mark("No strengths, no weaknesses."), "unit-types"),
    "kind-firing": Meaning(mark("Firing unit"), mark("Better fire, weaker melee."), "unit-types"),
    "kind-melee": Meaning(mark("Melee unit"), mark("Better melee, weaker shock."), "unit-types"),
    "kind-shock": Meaning(mark("Shock unit"), mark("Better shock, weaker fire."), "unit-types"),
    "kind-command": Meaning(
        mark("Commander"),
        mark("The Honjin, strongest unit of its division: better at everything. Units in its radius take orders."),
        "levels-of-command",
    ),
    "kind-camp": Meaning(
        mark("Encamped general"),
        mark("Better at everything, but it can't move. It can send a messenger."),
        "army-general",
    ),
    "kind-mounted": Meaning(
        mark("Mobile general"), mark("Moves and attacks better, fires worse, and sends no messengers."), "army-general"
    ),
    "kind-wavering": Meaning(
        mark("Wavering"),
        mark("One diamond: the unit fights with fewer dice and tests Morale before it charges."),
        "status-ladder",
    ),
    "kind-brittle": Meaning(
        mark("Brittle"),
        mark("Two diamonds: the unit can't charge, and the next failed test breaks it."),
        "status-ladder",
    ),
    "kind-fatigued": Meaning(
        mark("Fatigued"), mark("A moon: the unit takes no action in its division's next activation."), "orders"
    ),
    "ring-command": Meaning(
        mark("Command Radius"),
        mark("How far this division's commander can be heard. Units outside get one order at most."),
        "command-radius",
    ),
    "ring-general": Meaning(
        mark("Army General's presence"), mark("Units inside roll an extra die for Morale."), "army-general"
    ),
    "ring-fire": Meaning(
        mark("Range of fire"), mark("Enemies that this circle touches are in range."), "ranged-combat"
    ),
    "front": Meaning(
        mark("Front quarter"),
        mark("What lies ahead of the unit: it advances and charges that way. The other three are its flanks and rear."),
        "flank-attacks",
    ),
    "line-move": Meaning(mark("Move"), mark("From where the unit is to where it would go.")),
    "line-charge": Meaning(mark("Charge"), mark("The unit ends in contact with the enemy."), "charge"),
    "line-fire": Meaning(mark("Line of fire"), mark("From the unit that shoots to its target."), "ranged-combat"),
    "line-ruler": Meaning(mark("Ruler"), mark("Ranges are measured from edge to edge, moves from centre to centre.")),
    "die": Meaning(mark("Die"), mark("Each six is a success; all other faces count for nothing."), "hit-dice"),
    "closing:": Meaning(
        mark("Closing Fire"), mark("A unit charged in its front shoots first, without reply."), "closing-fire"
    ),
    "decline:": Meaning(mark("No Shock"), mark("The winner of the Melee stays locked and rolls no Shock."), "shock"),
    "done:": Meaning(mark("Done"), mark("Ends the orders of this division. What is left of them is lost."), "orders"),
    "likely:": Meaning(
        mark("Likely order"), mark("Gives this order at once. You can undo it until something is rolled."), "orders"
    ),
    "ahead:": Meaning(
        mark("All straight ahead"),
        mark("Sends every unit straight ahead as far as it can go, one order each. One Undo undoes it all."),
        "orders",
    ),
    "draw:": Meaning(mark("Draw"), mark("Gunbai draws a token at random, as if from the bag."), "activations"),
    "order:": Meaning(mark("Order"), mark("An order for this unit. It takes one of the division's orders."), "orders"),
    "mode:": Meaning(mark("General"), mark("How your general spends this turn: encamped or mobile."), "army-general"),
    "ruler:": Meaning(mark("Ruler"), mark("Measures between two units: in range, in command, in which quarter.")),
    "reasons:": Meaning(mark("Dice"), mark("Adds up why this roll has so many dice."), "hit-dice"),
    "lost:": Meaning(mark("Out of the battle"), mark("Takes this unit off the field.")),
    "tired:": Meaning(mark("Fatigued"), mark("Whether this unit is fatigued."), "orders"),
    "key:": Meaning(mark("Arrow"), mark("Moves the unit a little this way.")),
    "turn:": Meaning(mark("Turn"), mark("Turns the unit on the spot.")),
}


def meaning_on_field(key: str, picture: FieldPicture | None) -> Meaning | None:
    """Return what the unit with this key is, and its status; None for anything that is no unit of this field."""
    kind, _colon, name = key.partition(":")
    unit = next((unit for unit in picture.units if unit.name == name), None) if picture and kind == "unit" else None
    if unit is None:
        return None
    found = find(f"kind-{unit.sign}", SONAE)
    states = (unit.status if unit.status != "fresh" else "", "fatigued" if unit.fatigued else "")
    hurt = [told for state in states if state and (told := find(f"kind-{state}", SONAE)) is not None]
    assert found is not None
    titles = " · ".join((found.title, *(meaning.title.lower() for meaning in hurt)))
    facing = "" if hurt else _("The point shows which way it faces.")
    return Meaning(
        titles, " ".join(filter(None, (found.text, facing, *(meaning.text for meaning in hurt)))), found.section
    )

"""What is on the table's screen in General Orders: icons and figures, and any area and space of the map."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.text.meanings.meaning import Meaning, Meanings, first_sentences
from companion.text.orders import area_name, faction_name, join_words, space_title, unit_count
from companion.ui.table_pictures import AreaPicture, MapPicture, SpacePicture
from engine.orders.board import Board, Space
from engine.rulebook import load_book
from engine.words import mark

ORDERS: Meanings = {
    "round:": Meaning(
        mark("Round"), mark("After the last round, the points are counted. Touch it to correct the round."), "game-end"
    ),
    "points": Meaning(
        mark("Victory points"),
        mark("What this side would score if the game ended now. Areas out of supply don't count."),
        "victory-points",
    ),
    "ahead": Meaning(
        mark("In the lead"), mark("This side would win if the game ended now. The initiative breaks a tie."), "game-end"
    ),
    "initiative": Meaning(
        mark("Initiative"),
        mark("This player starts the next round, and wins a tie at the end of the game."),
        "initiative",
    ),
    "commanders": Meaning(
        mark("Commanders"),
        mark("Left to deploy this round, one per turn. An empty ring is one already used."),
        "deploy-commanders",
    ),
    "standby": Meaning(
        mark("Standby"),
        mark("Commanders this player has passed with. They come back at the end of the round."),
        "standby-area",
    ),
    "hand": Meaning(
        mark("Cards in hand"),
        mark("How many operation cards this player holds. Which ones stays secret."),
        "operation-cards",
    ),
    "deck": Meaning(mark("Deck"), mark("Operation cards left to draw with Plan."), "plan"),
    "discard": Meaning(
        mark("Discard pile"), mark("Cards that were spent, both players' in one pile."), "operation-cards"
    ),
    "side:": Meaning(
        mark("Player's panel"), mark("Points, commanders and cards of this side. Touch it to see what each means.")
    ),
    "worth": Meaning(
        mark("Victory points"),
        mark("Whoever supplies this area at the end scores it."),
        "victory-points",
    ),
    "supply-supply": Meaning(
        mark("Comes into supply"), mark("After this action the area is connected to its headquarters."), "supply"
    ),
    "supply-cut": Meaning(
        mark("Goes out of supply"), mark("After this action the area is cut off from its headquarters."), "supply"
    ),
    "supply-break": Meaning(
        mark("Broken line"),
        mark("The line to the headquarters breaks here. Everything beyond it is out of supply."),
        "supply",
    ),
    "camera-differs": Meaning(
        mark("Differs"),
        mark("The camera sees something else here than the game says. Touch the camera's sign for details."),
    ),
    "camera-hidden": Meaning(
        mark("Not in view"), mark("The camera can't see this area clearly. It counts as hidden, not as empty.")
    ),
    "die": Meaning(
        mark("Die"),
        mark("A die of the box, with 0, 1 or 2 pips. Each pip is a hit and removes one enemy unit."),
        "conflicts",
    ),
    "cards:": Meaning(
        mark("Cards"), mark("Play a card, or look at your own hand while nobody else watches."), "operation-cards"
    ),
    "hint:": Meaning(
        mark("Hint"),
        mark("Shows three good moves with why, what the dice may do, and how likely each wins. It plays none of them."),
    ),
    "window:": Meaning(
        mark("Play a card"), mark("A card may be played at this moment. Touch it if you want to."), "special-effects"
    ),
    "announce:": Meaning(mark("Announce"), mark("Says which card is played."), "special-effects"),
    "reroll:": Meaning(mark("Reroll"), mark("Spend any card to roll all of these dice again."), "rerolls"),
    "return:": Meaning(mark("Commander"), mark("Recalls this commander, as the card asks.")),
    "correct:": Meaning(mark("Correct"), mark("Sets this side's figures by hand. The log marks it.")),
    "take:": Meaning(mark("This one"), mark("Choose this if it is what happened on the board.")),
}
CARDS = frozenset({"play", "card", "spend", "announce"})
"""Verbs of buttons that are about a card: its name, after that of the side that holds it."""


def meaning_on_map(key: str, picture: MapPicture | None) -> Meaning | None:
    """Return what the area or space with this key is, as it stands on this map; None for anything else."""
    kind, _colon, name = key.partition(":")
    if picture is None:
        return None
    if kind == "area" and name in picture.board.area_index:
        return _area(picture, next(area for area in picture.areas if area.name == name))
    if kind == "space" and name in picture.board.space_index:
        shown = next((space for space in picture.spaces if space.name == name), None)
        return _space(picture.board, picture.board.space(name), shown)
    return None


def _area(picture: MapPicture, area: AreaPicture) -> Meaning:
    """Explain an area: who controls it, what it is worth, and whose headquarters it is."""
    on_board = picture.board.area(area.name)
    kinds = {"land": _("land area"), "water": _("water area"), "air": _("air zone")}
    title = _("{area} · {kind}").format(area=area_name(area.name), kind=kinds[on_board.kind])
    section = "control" if area.supplied or area.controller is None else "supply"
    worth = plural("Worth {n} point.", "Worth {n} points.", on_board.vp) if on_board.vp else ""
    hq = _("It is a headquarters: lose it, and you lose the game.") if on_board.hq else ""
    return Meaning(title, " ".join(filter(None, (_control(area), hq, worth))), section)


def _control(area: AreaPicture) -> str:
    """Say whose an area is, and with what."""
    sides = list(dict.fromkeys(stack.faction for stack in area.stacks if stack.n))
    if area.controller is None:
        return _("Both sides have units here.") if len(sides) > 1 else _("Nobody controls it.")
    own = (stack for stack in area.stacks if stack.faction == area.controller and stack.n)
    form = _("{who} controls it with {units}.")
    if not area.supplied:
        form = _("{who} controls it with {units}, out of supply.")
    forces = join_words(unit_count(stack.unit, stack.n) for stack in own)
    return form.format(who=faction_name(area.controller), units=forces)


def _space(board: Board, space: Space, shown: SpacePicture | None) -> Meaning:
    """Explain a space: whose commander is on it or whose alone it is, and what its action does."""
    section = space.action.name.replace("_", "-")
    holders = shown.held_by if shown is not None else ()
    if holders:
        state = _("Taken by {who}'s commander.").format(who=join_words(map(faction_name, holders)))
    elif space.faction:
        state = _("Only {who} may use it.").format(who=faction_name(space.faction))
    else:
        state = ""
    text = first_sentences(_(load_book(board.mode.rulebook)[section].text))
    return Meaning(space_title(space), f"{state} {text}".strip(), section)

"""Names and sentences of the game for the screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from companion.core.language import _
from companion.perception.sync.status import Item
from engine.orders import game
from engine.orders.board import Board, Space
from engine.orders.describe import describe_step
from engine.orders.draft import Event
from engine.orders.mode import Mode
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Pass, Step
from engine.words import count_words, zone

PRACTICE = "practice"
ZONE = "zone-"
IN_WORDS = "'’-:,;"


def faction_name(faction: str) -> str:
    """Return a faction's name as it stands on the screen."""
    names = {"red": _("Red"), "black": _("Black"), "blue": _("Blue"), "yellow": _("Yellow")}
    return names.get(faction, faction.capitalize())


def board_title(board: Board) -> str:
    """Return a board's title: its mode's, and the name of the copy if it is an owner's."""
    return copy_title(board.mode, board.name)


def copy_title(mode: Mode, name: str) -> str:
    """Return the title of a board, given its mode and the name that it is filed under."""
    copy = name.removeprefix(mode.name).removeprefix("-")
    return " · ".join(filter(None, (_(mode.title), copy)))


def practice_note(board: Board) -> str:
    """Return the note "practice board" for a board that was made up to try its mode; "" for any other."""
    return _("practice board") if board.known == PRACTICE else ""


def game_title(board: Board) -> str:
    """Return a board's title, with a note if it is a practice board."""
    note = practice_note(board)
    return f"{board_title(board)} ({note})" if note else board_title(board)


def area_label(area: str) -> str:
    """Return an area's name as a heading or the label of a number: "c4", "Green zone"."""
    name = area_name(area)
    return name if name == area else f"{name[:1].upper()}{name[1:]}"


def place_label(place: str) -> str:
    """Return the label of an area or of an action space's area, "c4", or of a support board's space, "Plan 1"."""
    action, _colon, where = place.rpartition(":")
    return f"{action_name(action)} {where}" if action and where.isdigit() else where


def area_name(area: str) -> str:
    """Return an area's name as it stands in sentences: "c4", "green zone"."""
    return zone(area)


def colour_name(colour: str) -> str:
    """Return the colour of an air zone in one word."""
    names = {
        "red": _("red"), "orange": _("orange"), "yellow": _("yellow"), "green": _("green"), "teal": _("teal"),
        "blue": _("blue"), "purple": _("purple"), "pink": _("pink"), "brown": _("brown"), "white": _("white"),
        "grey": _("grey"), "black": _("black"),
    }  # fmt: skip
    return names.get(colour, colour)


def zone_names(board: Board) -> dict[str, str]:
    """Return {name of an air zone: its colour, which is what the map calls it}: {"zone-green": "green"}."""
    zones = (area.name for area in board.areas if area.kind == "air")
    return {zone: colour_name(zone.removeprefix(ZONE)) for zone in zones}


def side_name(faction: str, players: Mapping[str, str]) -> str:
    """Return a faction with its player's name, where one was given: "Red", "Red · Ana"."""
    player = players.get(faction, "")
    return f"{faction_name(faction)} · {player}" if player else faction_name(faction)


def unit_count(unit: str, n: int) -> str:
    """Return units in words: "2 troops", "1 ship"."""
    return count_words(n, unit)


def units_of(faction: str, unit: str) -> str:
    """Return a side's units of a kind as they stand in sentences: "red troops".

    They are named here alone: in many languages the colour's ending depends on the kind.
    """
    names = {
        ("red", "troop"): _("red troops"), ("black", "troop"): _("black troops"),
        ("red", "ship"): _("red ships"), ("black", "ship"): _("black ships"),
        ("red", "siege"): _("red siege weapons"), ("black", "siege"): _("black siege weapons"),
        ("blue", "troop"): _("blue troops"), ("yellow", "troop"): _("yellow troops"),
        ("blue", "aircraft"): _("blue aircraft"), ("yellow", "aircraft"): _("yellow aircraft"),
    }  # fmt: skip
    other = _("{units} ({whose})")
    return names.get((faction, unit)) or other.format(units=units_name(unit).lower(), whose=faction_name(faction))


def unit_name(faction: str, unit: str) -> str:
    """Return a side's units of a kind, as a heading: "Red troops"."""
    name = units_of(faction, unit)
    return f"{name[:1].upper()}{name[1:]}"


def what_stands(area: str) -> str:
    """Return the question for all that is in an area."""
    form = _("What's in the {zone}?") if area.startswith(ZONE) else _("What's in {area}?")
    return form.format(zone=area_name(area), area=area)


def how_many(faction: str, unit: str, area: str) -> str:
    """Return the question for the number of a side's units of a kind in an area."""
    units = units_of(faction, unit)
    if area.startswith(ZONE):
        return _("How many {units} are in the {zone}?").format(units=units, zone=area_name(area))
    return _("How many {units} are in {area}?").format(units=units, area=area)


def units_name(unit: str) -> str:
    """Return units of a kind without a number, as a heading: "Troops"."""
    names = {
        "troop": _("Troops"), "ship": _("Ships"), "siege": _("Siege weapons"), "aircraft": _("Aircraft"),
    }  # fmt: skip
    return names.get(unit, unit.capitalize())


def short_units(unit: str) -> str:
    """Return units of a kind in one short word, for labels: "troops", "siege"."""
    names = {
        "troop": _("troops"), "ship": _("ships"), "siege": _("siege"), "aircraft": _("aircraft"),
    }  # fmt: skip
    return names.get(unit, unit)


def card_count(n: int) -> str:
    """Return cards in words: "1 card", "2 cards"."""
    return count_words(n, "card")


def action_name(action: str) -> str:
    """Return an action's name as it stands on the screen."""
    names = {
        "advance": _("Advance"), "sail": _("Sail"), "bombard": _("Bombard"), "shell": _("Shell"),
        "siege": _("Siege"), "reinforce": _("Reinforce"), "embark": _("Embark"), "plan": _("Plan"),
        "paradrop": _("Paradrop"), "barrage": _("Barrage"), "fly": _("Fly"), "bomb": _("Bomb"),
        "take_off": _("Take-off"),
    }  # fmt: skip
    return names.get(action, action.capitalize())


def space_title(space: Space) -> str:
    """Return a space in words: "Advance to b3", "Bombard from c2", "Reinforce 1"."""
    if space.area is None:
        return place_label(space.name)
    action = action_name(space.action.name)
    form = _("{action} to {area}") if space.action.verb == "move" else _("{action} from {area}")
    return form.format(action=action, area=area_name(space.area))


def space_note(space: Space, board: Board, faction: str = "") -> str:
    """Say what a support space gives a faction: "6 troops", "1 card + initiative".

    Without a faction it gives the usual number. Of a space on the map it says whose alone it is, or "".
    """
    if space.support is None:
        return _("only for {who}").format(who=faction_name(space.faction)) if space.faction else ""
    amount = space.amount_for(faction) if faction else space.amount
    if space.action.verb == "draw":
        text = card_count(amount)
        return _("{cards} + initiative").format(cards=text) if space.support.initiative else text
    kinds = [kind.name for kind in board.mode.units if kind.place == space.action.kind]
    if len(kinds) < 2:
        return unit_count(kinds[0], amount)
    units = unit_count("unit", amount)
    return _("{units}, max. {n} siege").format(units=units, n=space.support.siege)


def card_title(board: Board, card: str) -> str:
    """Return a card's title, as the edition in use prints it."""
    return board.mode.cards[card].heading


def bonus_title(board: Board, bonus: str) -> str:
    """Return a bonus's title, as the edition in use prints it."""
    return board.mode.bonuses[bonus].heading


def slot_name(slot: str) -> str:
    """Return the name of a bonus slot by its sign."""
    names = {"sun": _("Sun"), "moon": _("Moon"), "star": _("Star"), "flower": _("Flower")}
    return names.get(slot, _("slot {n}").format(n=slot))


def slot_place(slot: str, area: str) -> str:
    """Say where a token lies: "Token for c5 (Sun)", "Token for a3"."""
    name = slot_name(slot)
    form = _("Token for {area}") if slot.isdigit() else _("Token for {area} ({slot})")
    return form.format(slot=name, area=area)


def join_words(parts: Iterable[str]) -> str:
    """Join words in a row: "a", "a and b", "a, b and c"."""
    words = list(parts)
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}").format(first=", ".join(words[:-1]), last=words[-1])


def join_or(parts: Iterable[str]) -> str:
    """Join words to choose from: "a", "a or b", "a, b or c"."""
    words = list(parts)
    if len(words) < 2:
        return "".join(words)
    return _("{first} or {last}").format(first=", ".join(words[:-1]), last=words[-1])


def standing(units: Mapping[str, Mapping[str, int]]) -> str:
    """Return the units of an area in words: "Red: 2 troops and 1 ship"; "no units" for none."""
    parts = [
        f"{faction_name(faction)}: {join_words(unit_count(unit, n) for unit, n in kinds.items())}"
        for faction, kinds in units.items()
    ]
    return "; ".join(parts) or _("no units")


def sentence(text: str) -> str:
    """Return the text as a sentence; a name of an area or space at its start stays as it is.

    >>> sentence("red holds c2"), sentence("c2 is held by red")
    ('Red holds c2.', 'c2 is held by red.')
    >>> sentence("no: each has its own"), sentence("one's own")
    ('No: each has its own.', "One's own.")
    """
    first = text.partition(" ")[0]
    if all(sign.isalpha() or sign in IN_WORDS for sign in first):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!", ")")) else f"{text}."


def step_line(step: Step, before: Position) -> str:
    """Return a step as a line of the log; `before` is the position it was taken in."""
    return sentence(describe_step(step, before)).removesuffix(".")


def log_line(step: Step, before: Position) -> str:
    """Return the log's line for a step taken, with its cost and what it decided; "" if it goes without saying."""
    told = effects(step, before)
    if not isinstance(step, Accept):
        told.insert(0, describe_step(step, before))
    return sentence("; ".join(told)).removesuffix(".")


def effects(step: Step, before: Position) -> list[str]:
    """Return what a step cost and decided, a few words each; `before` is the position it was taken in."""
    _after, events = game.play_recorded(before, step)
    board = before.board
    told = [_loss(board, whose, n) for whose, n in losses_of(events).items()]
    told += [_("round {n} begins").format(n=event.units) for event in events if event.kind == "round"]
    forms = {
        "out": _("{who} has no commanders left and passes"),
        "commander": _("{who} takes a commander from standby"),
        "returned": _("{who} loses a commander to standby"),
        "won": _("{who} wins"),
    }
    passer = before.to_move if isinstance(step, Pass) else None  # the line has said already that this side passes
    kinds = [(forms[event.kind], event.faction) for event in events if event.kind in forms]
    kinds = [kind for kind in kinds if kind != (forms["out"], passer)]
    return told + [form.format(who=faction_name(board.factions[faction])) for form, faction in kinds]


def losses_of(events: Iterable[Event]) -> Mapping[tuple[int, int, int], int]:
    """Return {(faction, kind of unit, area): how many units were lost}, the keys as indices."""
    lost: Counter[tuple[int, int, int]] = Counter()
    for event in events:
        if event.kind == "lost":
            lost[event.faction, event.unit, event.area] += event.units
    return lost


def _loss(board: Board, whose: tuple[int, int, int], n: int) -> str:
    faction, unit, area = whose
    units = unit_count(board.mode.units[unit].name, n)
    form = _("{who} loses {units} in {area}")
    return form.format(who=faction_name(board.factions[faction]), units=units, area=area_name(board.areas[area].name))


def question(step: Step, position: Position) -> str:
    """Return the question that a ruling answers: "Red: Advance to b3?"; for any other step, its line of the log."""
    if not isinstance(step, Deploy):
        return step_line(step, position)
    space = space_title(position.board.space(step.space))
    return _("{who}: {space}?").format(who=faction_name(position.to_move_name), space=space)


def turn_lines(steps: Iterable[Step], before: Position) -> list[str]:
    """Return a turn's legal steps in words, a line a step, without those that go without saying."""
    lines = []
    for step in steps:
        lines.append(log_line(step, before))
        before = game.apply(before, step)
    return [line for line in lines if line]


def standing_units(units: Iterable[tuple[str, str, int]]) -> str:
    """Return the label of an answer that says what is in an area: "Red: 2 troops"; "Nothing"."""
    parts = [f"{faction_name(faction)}: {unit_count(unit, n)}" for faction, unit, n in units if n]
    return ", ".join(parts) or _("Nothing")


def problem(item: Item, board: Board) -> str:
    """Say how pieces on the table differ from the record: "1 red troop too many in b3"."""
    pieces = count_words(abs(item.more), item.unit, item.faction)
    if ":" in item.place:
        form = _("{pieces} too many on “{place}”") if item.more > 0 else _("{pieces} missing from “{place}”")
        return form.format(pieces=pieces, place=space_title(board.space(item.place)))
    form = _("{pieces} too many in {place}") if item.more > 0 else _("{pieces} missing from {place}")
    return form.format(pieces=pieces, place=area_name(item.place))

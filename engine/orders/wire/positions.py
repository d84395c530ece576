"""Positions, and the parts of which they are made, as JSON objects (dict in, dict out)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TypeVar

from engine.areas import mask_of
from engine.codec import (
    COUNT,
    TEXT,
    TEXTS,
    Fault,
    Json,
    Kind,
    brief,
    pairs,
    read_count,
    read_counts,
    read_object,
    read_text,
    read_texts,
)
from engine.errors import BadPosition
from engine.orders.actions.fire import widest_reach
from engine.orders.board import Board, load_board
from engine.orders.bonuses import most_commanders
from engine.orders.conflict import is_choice, returnable_spaces
from engine.orders.draft import Draft
from engine.orders.game import new_game, tokens_by_slot
from engine.orders.position import Hand, Loss, Next, Position, Stage, Turn
from engine.rulebook import switched_readings
from engine.words import count_words

T = TypeVar("T")
Rows = tuple[tuple[tuple[int, ...], ...], ...]


def _read_words(value: object, key: str) -> dict[str, str]:
    """Read an object of names; raise BadPosition for anything else."""
    return dict(pairs(TEXT).read(value, key, BadPosition))


def _read_within(value: object, key: str, low: int, high: int) -> int:
    """Read a number from `low` to `high`; raise BadPosition for anything else."""
    number = read_count(value, key, BadPosition)
    if not low <= number <= high:
        raise BadPosition(f"{key}: {low} to {high}, not {number}")
    return number


def read_hand(value: object, key: str, fault: Fault, ordered: bool = False) -> Hand:
    """Read a hand: a list of cards (sorted unless `ordered`) or a number; otherwise raise the fault."""
    if isinstance(value, list):
        cards = read_texts(value, key, fault)
        return cards if ordered else tuple(sorted(cards))
    return read_count(value, key, fault)


def write_hand(hand: Hand) -> list[str] | int:
    """Write a hand as a list of cards, or their number if it is hidden."""
    return hand if isinstance(hand, int) else list(hand)


HAND = Kind(read_hand, write_hand)


def read_faction(board: Board, value: object, key: str) -> int:
    """Read a faction and return its number; raise BadPosition if there is no such faction."""
    faction = board.mode.faction_index.get(read_text(value, key, BadPosition))
    if faction is None:
        raise BadPosition(f"{key}: {brief(value)} is no faction; there are {', '.join(board.factions)}")
    return faction


def _per_faction(board: Board, value: object, key: str, kind: Kind, missing: T) -> tuple[T, T]:
    """Read one value for each faction from an object keyed by colour; raise BadPosition."""
    table: Mapping[str, object] = read_object(value, key, BadPosition)
    for name in table:
        read_faction(board, name, key)
    first, second = (
        kind.read(table[name], f"{key}.{name}", BadPosition) if name in table else missing for name in board.factions
    )
    return first, second


def read_units(board: Board, value: object, key: str, anywhere: bool = False) -> Rows:
    """Read units as {area: {faction: {unit: n}}} into [faction][unit kind][area].

    `anywhere` lets them stand where none can. Raises BadPosition.
    """
    mode = board.mode
    rows = [[[0] * len(board.areas) for _ in mode.units] for _ in mode.factions]
    for area, sides in read_object(value, key, BadPosition).items():
        if area not in board.area_index:
            raise BadPosition(f"{key}.{area}: no such area on this board")
        for faction, units in read_object(sides, f"{key}.{area}", BadPosition).items():
            side = rows[read_faction(board, faction, f"{key}.{area}")]
            for unit, n in read_counts(units, f"{key}.{area}.{faction}", BadPosition).items():
                kind = mode.unit_index.get(unit)
                if kind is None or not (anywhere or kind in mode.kinds_on[board.area(area).kind]):
                    raise BadPosition(f"{key}.{area}.{faction}: no {unit} can stand there")
                side[kind][board.area_index[area]] = n
    return tuple(tuple(map(tuple, side)) for side in rows)


def read_commanders(board: Board, value: object) -> tuple[int, int]:
    """Read commanders as {space: faction or list of factions}; raise BadPosition.

    Returns a set of spaces for each faction.
    """
    sides = [0, 0]
    for name, holders in read_object(value, "commanders", BadPosition).items():
        if name not in board.space_index:
            raise BadPosition(f"commanders.{name}: no such action space on this board")
        for holder in holders if isinstance(holders, (list, tuple)) else [holders]:
            faction = read_faction(board, holder, f"commanders.{name}")
            if sides[faction] >> board.space_index[name] & 1:
                raise BadPosition(f"commanders.{name}: two commanders of {holder}")
            sides[faction] |= 1 << board.space_index[name]
    return sides[0], sides[1]


_KEYS = frozenset(field.name for field in fields(Position) if field.init)
_MOST_DICE = 40
"""The most dice of a roll that is owed, as in an `odds` request: their odds take time."""


def position_from_json(obj: object) -> Position:
    """Read a position from its JSON object; raise UnknownBoard, or BadPosition with one clear line."""
    table = read_object(obj, "position", BadPosition)
    unknown = [key for key in table if key not in _KEYS]
    if unknown:
        raise BadPosition(f"{unknown[0]}: a position has no such key")
    board = load_board(read_text(table.get("board"), "board", BadPosition))
    commanders = read_commanders(board, table.get("commanders", {}))
    standby = _per_faction(board, table.get("standby", {}), "standby", COUNT, 0)
    no_cards: Hand = ()
    hands = _per_faction(board, table.get("hands", {}), "hands", HAND, no_cards)
    return check_position(
        Position(
            board=board,
            round=_read_within(table.get("round"), "round", 1, board.mode.rounds),
            initiative=read_faction(board, table.get("initiative"), "initiative"),
            to_move=read_faction(board, table.get("to_move"), "to_move"),
            bonuses=tokens_by_slot(board, _read_words(table.get("bonuses", {}), "bonuses")),
            units=read_units(board, table.get("units", {}), "units"),
            commanders=commanders,
            commanders_left=_left(board, table, commanders, standby),
            standby=standby,
            hands=hands,
            discard=read_texts(table.get("discard", []), "discard", BadPosition),
            spent=_per_faction(board, table.get("spent", {}), "spent", TEXTS, ()),
            turn=_turn(board, table["turn"]) if table.get("turn") is not None else None,
            winner=read_faction(board, table["winner"], "winner") if table.get("winner") is not None else None,
            reason=read_text(table["reason"], "reason", BadPosition) if table.get("reason") is not None else None,
            readings=_readings(board, table.get("readings", {})),
            passed=_passed(board, table.get("passed", [])),
            last_spent=_per_faction(board, table.get("last_spent", {}), "last_spent", TEXTS, ()),
            rolled=read_faction(board, table["rolled"], "rolled") if table.get("rolled") is not None else None,
        )
    )


def new_from_json(obj: object) -> Position:
    """Return the printed starting position that a `new` request asks for.

    Raises UnknownBoard, or BadPosition with one clear line.
    """
    table = read_object(obj, "new", BadPosition)
    board = load_board(read_text(table.get("board"), "board", BadPosition))
    initiative = read_text(table.get("initiative"), "initiative", BadPosition)
    bonuses = _read_words(table.get("bonuses", {}), "bonuses")
    return new_game(board.name, initiative, bonuses, _readings(board, table.get("readings", {})))


def check_position(position: Position) -> Position:
    """Return the position if the box can hold it and its turn is possible; raise BadPosition naming what is not."""
    mode = position.board.mode
    for faction, name in enumerate(mode.factions):
        for kind in mode.units:
            if position.reserve(faction, kind.index) < 0:
                raise BadPosition(f"units: {name} has only {count_words(kind.reserve, kind.name)} in the box")
        used = position.commanders[faction].bit_count() + position.standby[faction] + position.commanders_left[faction]
        if used > mode.commanders:
            raise BadPosition(f"commanders_left.{name}: {used} commanders in all, there are {mode.commanders}")
    _check_cards(position)
    if position.turn is not None:
        _check_turn(position, position.turn)
    return position


def _check_turn(position: Position, turn: Turn) -> None:
    """Raise BadPosition for a turn in progress that is not possible.

    Its commander must be placed, and its stage must have what it needs.
    """
    board, draft = position.board, Draft(position)
    shot = board.spaces[turn.space].action.verb == "shoot"
    fighting = turn.stage in (Stage.JOIN, Stage.DEFENCE)
    placed = bool(position.commanders[position.to_move] >> turn.space & 1) or turn.stage is Stage.RETURN
    needs = {
        "space": placed and position.winner is None,
        "area": _fits_area(board, turn),
        "stage": shot if turn.stage in (Stage.SHOT, Stage.AGAIN) else not (shot and fighting),
        "dice": turn.dice <= _MOST_DICE
        and (turn.dice > 0 or turn.stage not in (Stage.SHOT, Stage.DEFENCE, Stage.ROLLED)),
        "faces": turn.stage is not Stage.ROLLED
        or (len(turn.faces) == turn.dice and all(face in board.mode.die for face in turn.faces)),
        "losses": all(is_choice(draft, loss) for loss in turn.losses)
        and bool(turn.losses) == (turn.stage is Stage.LOSSES),
        "returns": bool(turn.returns) == (turn.stage is Stage.RETURN)
        and all(returnable_spaces(position.commanders[f], position.commanders_left[f]) for f in turn.returns[:1]),
        "begun": max(*turn.begun, len(turn.returns)) <= most_commanders(position),
        "payload": not turn.payload or (bool(board.spaces[turn.space].action.payload) and turn.payload <= turn.dice),
    }
    for key, fits in needs.items():
        if not fits:
            raise BadPosition(f"turn.{key}: no turn in progress stands like this")


def _fits_area(board: Board, turn: Turn) -> bool:
    """Return whether the turn's area is one that its action can reach."""
    space = board.spaces[turn.space]
    action = space.action
    if turn.area < 0:
        support = action.verb in ("place", "draw") and turn.stage in (Stage.JOIN, Stage.LOSSES)
        return support or turn.stage is Stage.RETURN
    if action.verb == "move":
        return turn.area == space.area_index
    kind = board.areas[turn.area].kind
    if action.verb == "shoot":
        return kind == action.target and bool(widest_reach(board, space) >> turn.area & 1)
    return kind == action.kind


def _check_cards(position: Position) -> None:
    named = [card for hand in position.hands if isinstance(hand, tuple) for card in hand] + list(position.discard)
    deck = position.board.mode.deck
    for card in named + [card for cards in (*position.spent, *position.last_spent) for card in cards]:
        if card not in deck:
            raise BadPosition(f"hands, discard, spent: {card!r} is no card of this deck")
    for card, copies in deck.items():
        if named.count(card) > copies:
            raise BadPosition(f"hands, discard: {named.count(card)} {card}, the deck has {copies}")
    hidden = sum(hand for hand in position.hands if isinstance(hand, int))
    if len(named) + hidden > sum(deck.values()):
        raise BadPosition(f"hands, discard: {len(named) + hidden} cards, the deck has {sum(deck.values())}")


def position_to_json(position: Position) -> Json:
    """Write a position as its JSON object.

    `turn` only inside a turn, `winner` and `reason` only at the end.
    """
    board = position.board
    factions = board.factions
    out: Json = {
        "board": board.name,
        "round": position.round,
        "initiative": position.initiative_name,
        "to_move": position.to_move_name,
        "bonuses": {slot: bonus for slot, bonus in zip(board.slots, position.bonuses, strict=True) if bonus},
        "units": {area.name: here for area in board.areas if (here := position.units_in(area.name))},
        "commanders": _spaces_json(position),
        "commanders_left": dict(zip(factions, position.commanders_left, strict=True)),
        "standby": dict(zip(factions, position.standby, strict=True)),
        "hands": {f: write_hand(hand) for f, hand in zip(factions, position.hands, strict=True)},
        "discard": list(position.discard),
        "spent": {f: list(cards) for f, cards in zip(factions, position.spent, strict=True) if cards},
    }
    if any(position.passed):
        out["passed"] = [faction for faction, out_of_it in zip(factions, position.passed, strict=True) if out_of_it]
    if any(position.last_spent):
        out["last_spent"] = {f: list(cards) for f, cards in zip(factions, position.last_spent, strict=True) if cards}
    if position.rolled is not None:
        out["rolled"] = factions[position.rolled]
    if position.readings:
        out["readings"] = dict.fromkeys(sorted(position.readings), "other")
    if position.turn is not None:
        out["turn"] = _turn_json(board, position.turn)
    if position.winner is not None:
        out["winner"], out["reason"] = position.winner_name, position.reason
    return out


def _spaces_json(position: Position) -> dict[str, str | list[str]]:
    out: dict[str, str | list[str]] = {}
    for space in position.board.spaces:
        who = position.commanders_on(space.name)
        if who:
            out[space.name] = who[0] if len(who) == 1 else list(who)
    return out


def _left(board: Board, table: Json, commanders: tuple[int, int], standby: tuple[int, int]) -> tuple[int, int]:
    if "commanders_left" not in table:
        first, second = (board.mode.commanders - commanders[f].bit_count() - standby[f] for f in (0, 1))
        if min(first, second) < 0:
            raise BadPosition(f"commanders, standby: a faction has only {board.mode.commanders} commanders")
        return first, second
    return _per_faction(board, table["commanders_left"], "commanders_left", COUNT, 0)


def _readings(board: Board, value: object) -> frozenset[str]:
    chosen = _read_words(value, "readings")
    for name, answer in chosen.items():
        if answer not in ("default", "other"):
            raise BadPosition(f"readings.{name}: default or other, not {answer!r}")
    return switched_readings(board.mode.readings, (name for name, answer in chosen.items() if answer == "other"))


def _passed(board: Board, value: object) -> tuple[bool, bool]:
    named = {read_faction(board, name, "passed") for name in read_texts(value, "passed", BadPosition)}
    if named and not board.mode.final_pass:
        raise BadPosition("passed: a pass is not final in this mode")
    return 0 in named, 1 in named


def _turn_json(board: Board, turn: Turn) -> Json:
    factions, areas = board.factions, board.areas
    begun = {faction: n for faction, n in zip(factions, turn.begun, strict=True) if n}
    returns = [factions[faction] for faction in turn.returns]
    entered = [area.name for area in areas if turn.entered >> area.index & 1]
    new = {"begun": begun, "payload": turn.payload, "returns": returns, "entered": entered, "again": turn.again}
    return {key: value for key, value in new.items() if value} | {
        "space": board.spaces[turn.space].name,
        "stage": turn.stage.value,
        "area": areas[turn.area].name if turn.area >= 0 else None,
        "contested": [areas[area].name for area in turn.contested],
        "dice": turn.dice,
        "faces": list(turn.faces),
        "losses": [[factions[loss.faction], areas[loss.area].name, loss.units] for loss in turn.losses],
        "then": turn.then.value,
        "open": turn.open,
        "places": [area.name for area in areas if turn.places >> area.index & 1],
        "seizable": [area.name for area in areas if turn.seizable >> area.index & 1],
    }


def _turn(board: Board, value: object) -> Turn:
    table = read_object(value, "turn", BadPosition)
    try:
        return Turn(
            space=board.space_index[table["space"]],
            stage=Stage(table["stage"]),
            area=-1 if table["area"] is None else board.area_index[table["area"]],
            contested=tuple(board.area_index[area] for area in table["contested"]),
            dice=read_count(table["dice"], "turn.dice", BadPosition),
            faces=tuple(read_count(face, "turn.faces", BadPosition) for face in table["faces"]),
            losses=tuple(
                Loss(
                    read_faction(board, f, "turn.losses"),
                    board.area_index[area],
                    read_count(n, "turn.losses", BadPosition),
                )
                for f, area, n in table["losses"]
            ),
            then=Next(table["then"]),
            open=bool(table["open"]),
            places=_areas(board, table["places"]),
            seizable=_areas(board, table["seizable"]),
            begun=_per_faction(board, table.get("begun", {}), "turn.begun", COUNT, 0),
            payload=read_count(table.get("payload", 0), "turn.payload", BadPosition),
            returns=tuple(read_faction(board, f, "turn.returns") for f in table.get("returns", [])),
            entered=_areas(board, table.get("entered", [])),
            again=bool(table.get("again", False)),
        )
    except (KeyError, ValueError, TypeError) as fault:
        raise BadPosition(f"turn: {fault} is not as a turn in progress is written") from fault


def _areas(board: Board, names: Iterable[str]) -> int:
    return mask_of(board.area_index[name] for name in names)

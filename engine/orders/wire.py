"""Positions and steps as the JSON objects of the interface: dict in, dict out, every fault named by its key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine.errors import BadPosition, BadStep, EngineError
from engine.orders.board import Board, load_board
from engine.orders.game import switched, tokens
from engine.orders.position import Hand, Loss, Next, Position, Stage, Turn
from engine.orders.steps import RESERVE, Accept, Deploy, Load, Pass, Play, Remove, Reroll, Roll, Step

T = TypeVar("T")
Json = dict[str, Any]
Fault = type[EngineError]


# --- steps ------------------------------------------------------------------------------


def step_from_json(obj: object) -> Step:
    """A step from its JSON object. Raises BadStep with one clear line."""
    if not isinstance(obj, dict):
        raise BadStep(f"a step is an object, not {_brief(obj)}")
    for key, (read, keys) in _STEPS.items():
        if key in obj:
            unknown = [name for name in obj if name not in keys]
            if unknown:
                raise BadStep(f"{unknown[0]}: a {key} step has no such key")
            return read(obj)
    raise BadStep(f"a step has one of the keys {', '.join(_STEPS)}")


def step_to_json(step: Step) -> Json:
    """A step as its JSON object; keys that say nothing are left out."""
    return _WRITE[type(step)](step)


def _deploy(obj: Json) -> Deploy:
    return Deploy(
        space=_text(obj["deploy"], "deploy", BadStep),
        moves=_loads(obj.get("moves", {}), "moves"),
        place=_loads(obj.get("place", {}), "place"),
        recall=_loads(obj.get("recall", {}), "recall"),
        target=_text(obj["target"], "target", BadStep) if "target" in obj else None,
        draw=_hand(obj["draw"], "draw", BadStep, ordered=True) if "draw" in obj else None,
        cards=_texts(obj.get("cards", []), "cards", BadStep),
    )


def _pass(obj: Json) -> Pass:
    if obj["pass"] is not True:
        raise BadStep("pass: true is the only value")
    return Pass()


def _play(obj: Json) -> Play:
    moves = _loads(obj.get("moves", {}), "moves")
    if any(area != RESERVE for area, _, _ in moves):
        raise BadStep("moves: a card adds units from the reserve only")
    units = _count(obj["units"], "units", BadStep) if "units" in obj else None
    if moves:
        units = sum(n for _, _, n in moves)
    return Play(
        card=_text(obj["play"], "play", BadStep),
        by=_text(obj.get("by"), "by", BadStep),
        place=_loads(obj.get("place", {}), "place"),
        target=_text(obj["target"], "target", BadStep) if "target" in obj else None,
        units=units,
    )


def _roll(obj: Json) -> Roll:
    faces = obj["roll"]
    if not isinstance(faces, list):
        raise BadStep(f"roll: a list of dice, not {_brief(faces)}")
    dice = tuple(_count(face, f"roll[{i}]", BadStep) for i, face in enumerate(faces))
    return Roll(dice, _text(obj.get("by"), "by", BadStep))


def _reroll(obj: Json) -> Reroll:
    return Reroll(_text(obj["reroll"], "reroll", BadStep), _text(obj.get("by"), "by", BadStep))


def _remove(obj: Json) -> Remove:
    units = _counts(obj["remove"], "remove", BadStep)
    area = _text(obj["area"], "area", BadStep) if "area" in obj else None
    return Remove(tuple(units.items()), _text(obj.get("by"), "by", BadStep), area)


def _accept(obj: Json) -> Accept:
    if obj["accept"] is not True:
        raise BadStep("accept: true is the only value")
    return Accept(_text(obj["by"], "by", BadStep) if "by" in obj else None)


_STEPS: dict[str, tuple[Callable[[Json], Step], tuple[str, ...]]] = {
    "deploy": (_deploy, ("deploy", "moves", "place", "recall", "target", "draw", "cards")),
    "pass": (_pass, ("pass",)),
    "play": (_play, ("play", "by", "moves", "place", "target", "units")),
    "roll": (_roll, ("roll", "by")),
    "reroll": (_reroll, ("reroll", "by")),
    "remove": (_remove, ("remove", "by", "area")),
    "accept": (_accept, ("accept", "by")),
}


def _loads(value: object, key: str) -> tuple[Load, ...]:
    areas = _table(value, key, BadStep)
    return tuple(
        (area, unit, n) for area, units in areas.items() for unit, n in _counts(units, f"{key}.{area}", BadStep).items()
    )


def _from_loads(loads: tuple[Load, ...]) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for area, unit, n in loads:
        out.setdefault(area, {})[unit] = n
    return out


def _write_deploy(step: Deploy) -> Json:
    out: Json = {"deploy": step.space}
    for key, loads in (("moves", step.moves), ("place", step.place), ("recall", step.recall)):
        if loads:
            out[key] = _from_loads(loads)
    if step.target is not None:
        out["target"] = step.target
    if step.draw is not None:
        out["draw"] = step.draw if isinstance(step.draw, int) else list(step.draw)
    if step.cards:
        out["cards"] = list(step.cards)
    return out


def _write_play(step: Play) -> Json:
    out: Json = {"play": step.card, "by": step.by}
    if step.place:
        out["place"] = _from_loads(step.place)
    if step.target is not None:
        out["target"] = step.target
    if step.units is not None:
        out["units"] = step.units
    return out


def _write_remove(step: Remove) -> Json:
    out: Json = {"remove": dict(step.units), "by": step.by}
    return out if step.area is None else {**out, "area": step.area}


_WRITE: dict[type[Step], Callable[[Any], Json]] = {
    Deploy: _write_deploy,
    Pass: lambda step: {"pass": True},
    Play: _write_play,
    Roll: lambda step: {"roll": list(step.dice), "by": step.by},
    Reroll: lambda step: {"reroll": step.card, "by": step.by},
    Remove: _write_remove,
    Accept: lambda step: {"accept": True} if step.by is None else {"accept": True, "by": step.by},
}


# --- positions --------------------------------------------------------------------------

_KEYS = (
    "board round initiative to_move bonuses units commanders commanders_left standby hands discard spent "
    "winner reason readings turn"
).split()


def position_from_json(obj: object) -> Position:
    """A position from its JSON object. Raises UnknownBoard, or BadPosition with one clear line."""
    table = _table(obj, "position", BadPosition)
    unknown = [key for key in table if key not in _KEYS]
    if unknown:
        raise BadPosition(f"{unknown[0]}: a position has no such key")
    board = load_board(_text(table.get("board"), "board", BadPosition))
    commanders = _commanders(board, table.get("commanders", {}))
    standby = _per_faction(board, table.get("standby", {}), "standby", _count_at, 0)
    hands = _per_faction(board, table.get("hands", {}), "hands", _hand_at, ())
    return checked(
        Position(
            board=board,
            round=_within(table.get("round"), "round", 1, board.mode.rounds),
            initiative=_faction(board, table.get("initiative"), "initiative"),
            to_move=_faction(board, table.get("to_move"), "to_move"),
            bonuses=tokens(board.name, _words(table.get("bonuses", {}), "bonuses")),
            units=_units(board, table.get("units", {})),
            commanders=commanders,
            commanders_left=_left(board, table, commanders, standby),
            standby=standby,
            hands=hands,
            discard=_texts(table.get("discard", []), "discard", BadPosition),
            spent=_per_faction(board, table.get("spent", {}), "spent", _cards_at, ()),
            turn=_turn(board, table["turn"]) if table.get("turn") is not None else None,
            winner=_faction(board, table["winner"], "winner") if table.get("winner") is not None else None,
            reason=_text(table["reason"], "reason", BadPosition) if table.get("reason") is not None else None,
            readings=_readings(board, table.get("readings", {})),
        )
    )


def checked(position: Position) -> Position:
    """The position, if the box can hold it. Raises BadPosition naming what there is too much of."""
    mode = position.board.mode
    for faction, name in enumerate(mode.factions):
        for kind in mode.units:
            if position.reserve(faction, kind.index) < 0:
                raise BadPosition(f"units: {name} has only {kind.reserve} {kind.name}s in the box")
        used = position.commanders[faction].bit_count() + position.standby[faction] + position.commanders_left[faction]
        if used > mode.commanders:
            raise BadPosition(f"commanders_left.{name}: {used} commanders in all, there are {mode.commanders}")
    _check_cards(position)
    return position


def _check_cards(position: Position) -> None:
    named = [card for hand in position.hands if isinstance(hand, tuple) for card in hand] + list(position.discard)
    deck = position.board.mode.deck
    for card in named + [card for cards in position.spent for card in cards]:
        if card not in deck:
            raise BadPosition(f"hands, discard, spent: {card!r} is no card of this deck")
    for card, copies in deck.items():
        if named.count(card) > copies:
            raise BadPosition(f"hands, discard: {named.count(card)} {card}, the deck has {copies}")
    hidden = sum(hand for hand in position.hands if isinstance(hand, int))
    if len(named) + hidden > sum(deck.values()):
        raise BadPosition(f"hands, discard: {len(named) + hidden} cards, the deck has {sum(deck.values())}")


def position_to_json(position: Position) -> Json:
    """A position as its JSON object, with every key; `turn` only inside a turn, `winner` and `reason` only at the end."""
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
        "hands": {
            f: hand if isinstance(hand, int) else list(hand) for f, hand in zip(factions, position.hands, strict=True)
        },
        "discard": list(position.discard),
        "spent": {f: list(cards) for f, cards in zip(factions, position.spent, strict=True) if cards},
    }
    if position.readings:
        out["readings"] = {name: "other" for name in sorted(position.readings)}
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


def _commanders(board: Board, value: object) -> tuple[int, int]:
    sides = [0, 0]
    for name, holders in _table(value, "commanders", BadPosition).items():
        if name not in board.space_index:
            raise BadPosition(f"commanders.{name}: no such action space on this board")
        for holder in holders if isinstance(holders, list) else [holders]:
            faction = _faction(board, holder, f"commanders.{name}")
            if sides[faction] >> board.space_index[name] & 1:
                raise BadPosition(f"commanders.{name}: two commanders of {holder}")
            sides[faction] |= 1 << board.space_index[name]
    return sides[0], sides[1]


def _left(board: Board, table: Json, commanders: tuple[int, int], standby: tuple[int, int]) -> tuple[int, int]:
    if "commanders_left" not in table:
        first, second = (board.mode.commanders - commanders[f].bit_count() - standby[f] for f in (0, 1))
        if min(first, second) < 0:
            raise BadPosition(f"commanders, standby: a faction has only {board.mode.commanders} commanders")
        return first, second
    return _per_faction(board, table["commanders_left"], "commanders_left", _count_at, 0)


def _units(board: Board, value: object) -> tuple[tuple[tuple[int, ...], ...], ...]:
    mode = board.mode
    rows = [[[0] * len(board.areas) for _ in mode.units] for _ in mode.factions]
    for area, sides in _table(value, "units", BadPosition).items():
        if area not in board.area_index:
            raise BadPosition(f"units.{area}: no such area on this board")
        for faction, units in _table(sides, f"units.{area}", BadPosition).items():
            side = rows[_faction(board, faction, f"units.{area}")]
            for unit, n in _counts(units, f"units.{area}.{faction}", BadPosition).items():
                kind = mode.unit_index.get(unit)
                if kind is None or kind not in mode.kinds_on[board.area(area).kind]:
                    raise BadPosition(f"units.{area}.{faction}: no {unit} can stand there")
                side[kind][board.area_index[area]] = n
    return tuple(tuple(map(tuple, side)) for side in rows)


def _readings(board: Board, value: object) -> frozenset[str]:
    chosen = _words(value, "readings")
    for name, answer in chosen.items():
        if answer not in ("default", "other"):
            raise BadPosition(f"readings.{name}: default or other, not {answer!r}")
    return switched(board.name, (name for name, answer in chosen.items() if answer == "other"))


def _turn_json(board: Board, turn: Turn) -> Json:
    factions, areas = board.factions, board.areas
    return {
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
    table = _table(value, "turn", BadPosition)
    try:
        return Turn(
            space=board.space_index[table["space"]],
            stage=Stage(table["stage"]),
            area=-1 if table["area"] is None else board.area_index[table["area"]],
            contested=tuple(board.area_index[area] for area in table["contested"]),
            dice=_count(table["dice"], "turn.dice", BadPosition),
            faces=tuple(_count(face, "turn.faces", BadPosition) for face in table["faces"]),
            losses=tuple(
                Loss(_faction(board, f, "turn.losses"), board.area_index[area], _count(n, "turn.losses", BadPosition))
                for f, area, n in table["losses"]
            ),
            then=Next(table["then"]),
            open=bool(table["open"]),
            places=sum(1 << board.area_index[area] for area in table["places"]),
            seizable=sum(1 << board.area_index[area] for area in table["seizable"]),
        )
    except (KeyError, ValueError, TypeError) as fault:
        raise BadPosition(f"turn: {fault} is not as a turn in progress is written") from fault


# --- the smallest parts -----------------------------------------------------------------


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _table(value: object, key: str, fault: Fault) -> Json:
    if not isinstance(value, dict):
        raise fault(f"{key}: an object, not {_brief(value)}")
    return value


def _text(value: object, key: str, fault: Fault) -> str:
    if not isinstance(value, str):
        raise fault(f"{key}: a name, not {_brief(value)}")
    return value


def _texts(value: object, key: str, fault: Fault) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise fault(f"{key}: a list of names, not {_brief(value)}")
    return tuple(_text(name, f"{key}[{i}]", fault) for i, name in enumerate(value))


def _words(value: object, key: str) -> dict[str, str]:
    return {name: _text(word, f"{key}.{name}", BadPosition) for name, word in _table(value, key, BadPosition).items()}


def _count(value: object, key: str, fault: Fault) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise fault(f"{key}: a number from 0, not {_brief(value)}")
    return value


def _counts(value: object, key: str, fault: Fault) -> dict[str, int]:
    counts = {name: _count(n, f"{key}.{name}", fault) for name, n in _table(value, key, fault).items()}
    return {name: n for name, n in counts.items() if n}


def _within(value: object, key: str, low: int, high: int) -> int:
    number = _count(value, key, BadPosition)
    if not low <= number <= high:
        raise BadPosition(f"{key}: {low} to {high}, not {number}")
    return number


def _hand(value: object, key: str, fault: Fault, ordered: bool = False) -> Hand:
    if isinstance(value, list):
        cards = _texts(value, key, fault)
        return cards if ordered else tuple(sorted(cards))
    return _count(value, key, fault)


def _faction(board: Board, value: object, key: str) -> int:
    faction = board.mode.faction_index.get(_text(value, key, BadPosition))
    if faction is None:
        raise BadPosition(f"{key}: {_brief(value)} is no faction; there are {', '.join(board.factions)}")
    return faction


def _count_at(value: object, key: str) -> int:
    return _count(value, key, BadPosition)


def _hand_at(value: object, key: str) -> Hand:
    return _hand(value, key, BadPosition)


def _cards_at(value: object, key: str) -> tuple[str, ...]:
    return _texts(value, key, BadPosition)


def _per_faction(board: Board, value: object, key: str, read: Callable[[object, str], T], missing: T) -> tuple[T, T]:
    table: Mapping[str, object] = _table(value, key, BadPosition)
    for name in table:
        _faction(board, name, key)
    first, second = (read(table[name], f"{key}.{name}") if name in table else missing for name in board.factions)
    return first, second

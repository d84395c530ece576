"""Positions and steps of Generals Order as JSON objects (dict in, dict out); docs/referee.md has the forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, get_args

from engine.errors import BadPosition, BadStep, BadTable
from engine.generals.cards import TRIGGERS, ZONES, Deck, Zone, load_deck, read_deck
from engine.generals.game import chosen, new_game
from engine.generals.position import SIDES, STRIKES, Fighter, Position, Side, card_of
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Step, Use
from engine.generals.told import REASONS
from engine.parts import Fault, Json, brief, read_brought, read_count, read_table, read_text, read_texts

PILES = ("resources", "hand", "expended")
SWITCHES = ("fresh", "acted", "used")
POINTS = ("military", "intelligence")
WORN = ("item", "troop")
LAST = ("", *TRIGGERS, *STRIKES, "special")
MOST_MORE = 999


# --- steps ------------------------------------------------------------------------------


def step_from_json(obj: object) -> Step:
    """A step from its JSON object; `sum`, the check value of a saved line, is passed over. Raises BadStep."""
    if not isinstance(obj, dict):
        raise BadStep(f"a step is an object, not {brief(obj)}")
    for key, (read, keys) in _STEPS.items():
        if key in obj:
            unknown = [name for name in obj if name not in (key, *keys, "sum")]
            if unknown:
                raise BadStep(f"{unknown[0]}: the {key} step has no such key")
            return read(obj)
    raise BadStep(f"a step has one of the keys {', '.join(_STEPS)}")


def _word(obj: Json, key: str, missing: str | None = None) -> str:
    """A name of a step; BadStep where it has to be there and is not, or is empty."""
    name = obj.get(key, missing or "")
    if missing is None and name == "":
        raise BadStep(f"{key}: missing")
    return read_text(name, key, BadStep)


def _attack(obj: Json) -> Attack:
    target, castle = _word(obj, "target", ""), obj.get("castle", False)
    if castle not in (True, False) or bool(target) == castle:
        raise BadStep('attack: either a "target" or "castle": true')
    return Attack(_word(obj, "attack"), target)


def _end(obj: Json) -> End:
    if obj["end"] is not True:
        raise BadStep("end: true is the only value")
    return End()


def _agreed(obj: Json) -> Agreed:
    numbers = {name: read_count(n, name, BadStep) for name, n in obj.items() if name in PILES}
    rows = read_table(obj.get("generals", {}), "generals", BadStep)
    return Agreed(
        side=_word(obj, "agreed"),
        numbers=numbers,
        generals={label: None if row is None else _row(row, f"generals.{label}") for label, row in rows.items()},
        defeated=read_texts(obj["defeated"], "defeated", BadStep) if "defeated" in obj else None,
        winner=_word(obj, "winner", ""),
        note=_word(obj, "note", ""),
    )


def _row(value: object, key: str) -> Mapping[str, Any]:
    row = read_table(value, key, BadStep)
    for name in row:
        if name not in ("zone", *WORN, *SWITCHES, *POINTS):
            raise BadStep(f"{key}.{name}: a general has no such key")
    return {name: _told(name, told, f"{key}.{name}") for name, told in row.items()}


def _told(name: str, value: object, key: str) -> object:
    """What is told of a general under one key."""
    if name in SWITCHES:
        return _switch(value, key, BadStep)
    return _points(value, key, BadStep) if name in POINTS else read_text(value, key, BadStep)


def _switch(value: object, key: str, fault: Fault) -> bool:
    if not isinstance(value, bool):
        raise fault(f"{key}: true or false, not {brief(value)}")
    return value


def _points(value: object, key: str, fault: Fault) -> int:
    """Points more or less in this turn."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MOST_MORE:
        raise fault(f"{key}: a number from -{MOST_MORE} to {MOST_MORE}, not {brief(value)}")
    return value


_STEPS: dict[str, tuple[Callable[[Json], Step], tuple[str, ...]]] = {
    "deploy": (lambda obj: Deploy(_word(obj, "deploy"), _word(obj, "zone", "")), ("zone",)),
    "equip": (lambda obj: Equip(_word(obj, "equip"), _word(obj, "general")), ("general",)),
    "use": (
        lambda obj: Use(_word(obj, "use"), _word(obj, "by"), _word(obj, "general", ""), _word(obj, "target", "")),
        ("by", "general", "target"),
    ),
    "activate": (
        lambda obj: Activate(_word(obj, "activate"), _word(obj, "general", ""), _word(obj, "target", "")),
        ("general", "target"),
    ),
    "move": (lambda obj: Move(_word(obj, "move"), _word(obj, "to")), ("to",)),
    "attack": (_attack, ("target", "castle")),
    "end": (_end, ()),
    "agreed": (_agreed, (*PILES, "generals", "defeated", "winner", "note")),
}


def step_to_json(step: Step) -> Json:
    """A step as its JSON object; keys that say nothing are left out."""
    return {key: value for key, value in _WRITE[type(step)](step).items() if value != ""}


def _write_agreed(step: Agreed) -> Json:
    out: Json = {"agreed": step.side, **step.numbers}
    if step.generals:
        out["generals"] = {label: None if row is None else dict(row) for label, row in step.generals.items()}
    if step.defeated is not None:
        out["defeated"] = list(step.defeated)
    return {**out, "winner": step.winner, "note": step.note}


_WRITE: dict[type[Step], Callable[[Any], Json]] = {
    Deploy: lambda step: {"deploy": step.card, "zone": step.zone},
    Equip: lambda step: {"equip": step.card, "general": step.general},
    Use: lambda step: {"use": step.card, "by": step.by, "general": step.general, "target": step.target},
    Activate: lambda step: {"activate": step.general, "general": step.to, "target": step.target},
    Move: lambda step: {"move": step.general, "to": step.to},
    Attack: lambda step: {"attack": step.general, "target": step.target, "castle": "" if step.target else True},
    End: lambda step: {"end": True},
    Agreed: _write_agreed,
}


# --- positions --------------------------------------------------------------------------


def new_from_json(request: Json) -> Position:
    """The start that a `new` request asks for: {"decks": {side: name}, "first": side, "readings": {...}}.

    `texts` may bring the decks' files: {name: TOML}; the position as it is answered brings them on. Raises
    BadPosition.
    """
    decks = decks_from_json(request)
    return new_game(decks, read_text(request.get("first"), "first", BadPosition), _switched(request))


def decks_from_json(request: Json) -> dict[str, Deck]:
    """The decks that a request names: {"decks": {side: name}}. Raises BadPosition for one that is not known."""
    texts = _table(request, "texts")
    return {side: _deck(name, f"decks.{side}", texts) for side, name in _table(request, "decks").items()}


def _table(obj: Json, key: str) -> Json:
    return read_table(obj.get(key, {}), key, BadPosition)


def _deck(name: object, key: str, texts: Json) -> Deck:
    called = read_text(name, key, BadPosition)
    try:
        return read_brought(read_deck, called, texts) if called in texts else load_deck(called)
    except BadTable as fault:
        raise BadPosition(f"{key}: {fault}") from fault


def _switched(obj: Json) -> frozenset[str]:
    answers = _table(obj, "readings")
    for name, answer in answers.items():
        if answer not in ("default", "other"):
            raise BadPosition(f'readings.{name}: "default" or "other"')
    return chosen(name for name, answer in answers.items() if answer == "other")


def position_to_json(position: Position) -> Json:
    """A position as its JSON object; keys that say nothing are left out."""
    out: Json = {"system": "generals", "turn": position.turn, "to_move": position.to_move_name}
    out["sides"] = {who: _side_to_json(side) for who, side in zip(SIDES, position.sides, strict=True)}
    if position.last:
        out["last"] = position.last
    if position.done:
        out["done"] = list(position.done)
    if position.readings:
        out["readings"] = dict.fromkeys(sorted(position.readings), "other")
    if position.winner_name is not None:
        out |= {"winner": position.winner_name, "reason": position.reason}
    texts = {side.deck.name: side.deck.text for side in position.sides if side.deck.text}
    return {**out, "texts": texts} if texts else out


def _side_to_json(side: Side) -> Json:
    out: Json = {"deck": side.deck.name, **{pile: getattr(side, pile) for pile in PILES}}
    lists = {"defeated": list(side.defeated), "seen": list(side.seen)}
    out["generals"] = {one.label: _fighter_to_json(one) for one in side.fighters}
    return out | {key: value for key, value in lists.items() if value}


def _fighter_to_json(one: Fighter) -> Json:
    told = {name: getattr(one, name) for name in (*WORN, *SWITCHES, *POINTS)}
    return {"zone": one.zone} | {name: value for name, value in told.items() if value}


def position_from_json(obj: object) -> Position:
    """A position from its JSON object. Raises BadPosition where it is badly written or its decks cannot hold it."""
    table = read_table(obj, "position", BadPosition)
    sides = _table(table, "sides")
    if set(sides) != set(SIDES):
        raise BadPosition(f"sides: {' and '.join(SIDES)}")
    texts = _table(table, "texts")
    first, second = (_side_from_json(sides[who], f"sides.{who}", texts) for who in SIDES)
    winner = table.get("winner")
    return Position(
        sides=(first, second),
        to_move=_who(table.get("to_move"), "to_move"),
        turn=read_count(table.get("turn", 1), "turn", BadPosition),
        last=_of(LAST, table.get("last", ""), "last"),
        done=tuple(_of(TRIGGERS, deed, "done") for deed in read_texts(table.get("done", []), "done", BadPosition)),
        winner=None if winner is None else _who(winner, "winner"),
        reason=_of(REASONS, table.get("reason", ""), "reason"),
        readings=_switched(table),
    )


def _of(words: tuple[str, ...], value: object, key: str) -> str:
    """One of some words."""
    word = read_text(value, key, BadPosition)
    if word not in words:
        raise BadPosition(f"{key}: one of {', '.join(filter(None, words))}, not {brief(word)}")
    return word


def _who(value: object, key: str) -> int:
    return SIDES.index(_of(SIDES, value, key))


def _side_from_json(value: object, key: str, texts: Json) -> Side:
    table = read_table(value, key, BadPosition)
    deck = _deck(table.get("deck"), f"{key}.deck", texts)
    rows = read_table(table.get("generals", {}), f"{key}.generals", BadPosition)
    side = Side(
        deck,
        **{pile: read_count(table.get(pile), f"{key}.{pile}", BadPosition) for pile in PILES},
        fighters=tuple(_fighter(deck, label, row, f"{key}.generals.{label}") for label, row in rows.items()),
        defeated=_cards(deck, table.get("defeated", []), f"{key}.defeated"),
        seen=_cards(deck, table.get("seen", []), f"{key}.seen"),
    )
    _weigh(side, key)
    return side


def _cards(deck: Deck, value: object, key: str) -> tuple[str, ...]:
    names = read_texts(value, key, BadPosition)
    for name in names:
        if name not in deck.cards:
            raise BadPosition(f"{key}: {brief(name)} is no card of {deck.name}")
    return names


def _fighter(deck: Deck, label: str, value: object, key: str) -> Fighter:
    row = read_table(value, key, BadPosition)
    name = card_of(label)
    if name not in deck.cards or deck.cards[name].kind != "general":
        raise BadPosition(f"{key}: no general of {deck.name}")
    worn = {kind: read_text(row.get(kind, ""), f"{key}.{kind}", BadPosition) for kind in WORN}
    for kind, card in worn.items():
        if card and (card not in deck.cards or deck.cards[card].kind != kind):
            raise BadPosition(f"{key}.{kind}: {brief(card)} is no {kind} card of {deck.name}")
    points = {form: _points(row.get(form, 0), f"{key}.{form}", BadPosition) for form in POINTS}
    switches = {name: _switch(row.get(name, False), f"{key}.{name}", BadPosition) for name in SWITCHES}
    values: dict[str, Any] = {**worn, **switches, **points}
    return Fighter(label, name, _zone(row.get("zone"), f"{key}.zone"), **values)


def _zone(value: object, key: str) -> Zone:
    for zone in ZONES:
        if value == zone:
            return zone
    raise BadPosition(f"{key}: one of {', '.join(get_args(Zone))}, not {brief(value)}")


def _weigh(side: Side, key: str) -> None:
    """Whether the deck can hold it."""
    if side.cards != side.deck.size:
        raise BadPosition(f"{key}: {side.cards} cards in all, and {side.deck.name} has {side.deck.size}")
    known: Counter[str] = side.known()
    for name, n in known.items():
        if n > side.deck.cards[name].copies:
            raise BadPosition(f"{key}: {n} of {name}, and {side.deck.name} has {side.deck.cards[name].copies}")
    if len(side.seen) > side.expended:
        raise BadPosition(f"{key}.seen: more cards than the expended zone has")

"""Generals Order as the referee speaks it: positions, steps and requests as JSON objects (dict in, dict out).

docs/referee.md has the forms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import get_args

from engine.codec import (
    SWITCH,
    TEXT,
    TEXTS,
    TRUE,
    Fault,
    Json,
    KeyGroup,
    Kind,
    Record,
    StepCodec,
    brief,
    read_count,
    read_from_texts,
    read_object,
    read_one_of,
    read_optional,
    read_switched,
    read_text,
    read_texts,
    rows,
)
from engine.errors import BadPosition, BadRequest, BadTable
from engine.generals import game
from engine.generals.cards import EQUIPMENT, TRIGGERS, ZONES, Card, Deck, Zone, load_deck, read_deck
from engine.generals.position import PILES, SIDES, STRIKES, Fighter, Position, Side, card_of
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Step, Use
from engine.generals.tally import PASSAGE, UPKEEP, cost_of, passage_of, points_of, upkeep_of
from engine.generals.words import REASONS
from engine.rulebook import switched_readings
from engine.ruling import Tally
from engine.system import System

LAST = ("", *TRIGGERS, *STRIKES, "special")
MOST_MORE = 999


# --- steps ------------------------------------------------------------------------------


def _read_row(value: object, key: str, fault: Fault) -> Json:
    """Read a general's row in an agreed step, or raise the fault."""
    row = read_object(value, key, fault)
    for name in row:
        if name != "zone" and name not in FIGHTER:
            raise fault(f"{key}.{name}: a general has no such key")
    return {name: FIGHTER.get(name, TEXT).read(entry, f"{key}.{name}", fault) for name, entry in row.items()}


def _read_points(value: object, key: str, fault: Fault) -> int:
    """Read points added, or taken away if below 0, for this turn; or raise the fault."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MOST_MORE:
        raise fault(f"{key}: expected a number from -{MOST_MORE} to {MOST_MORE}, not {brief(value)}")
    return value


def _read_piles(obj: Json, fault: Fault) -> dict[str, int]:
    return {name: read_count(n, name, fault) for name, n in obj.items() if name in PILES}


def _read_target(obj: Json, fault: Fault) -> str:
    """Read the general that is attacked; "" stands for the castle."""
    target, castle = read_text(obj.get("target", ""), "target", fault), obj.get("castle", False)
    if castle not in (True, False) or bool(target) == castle:
        raise fault('attack: either a "target" or "castle": true')
    return target


GENERAL_ROWS, POINTS = rows(_read_row), Kind(_read_points)
FIGHTER: Mapping[str, Kind] = {
    "item": TEXT,
    "troop": TEXT,
    "fresh": SWITCH,
    "acted": SWITCH,
    "used": SWITCH,
    "military": POINTS,
    "intelligence": POINTS,
}
"""The keys of a general besides its zone."""
_STEPS = StepCodec[Step](
    Record(Deploy, {"deploy": ("card", TEXT), "zone": TEXT}),
    Record(Equip, {"equip": ("card", TEXT), "general": TEXT}),
    Record(Use, {"use": ("card", TEXT), "by": TEXT, "general": TEXT, "target": TEXT}),
    Record(Activate, {"activate": ("general", TEXT), "general": ("to", TEXT), "target": TEXT}),
    Record(Move, {"move": ("general", TEXT), "to": TEXT}),
    Record(
        Attack,
        {
            "attack": ("general", TEXT),
            "target": KeyGroup(
                ("target", "castle"), _read_target, lambda target: {"target": target} if target else {"castle": True}
            ),
        },
    ),
    Record(End, {"end": TRUE}),
    Record(
        Agreed,
        {
            "agreed": ("side", TEXT),
            "numbers": KeyGroup(PILES, _read_piles, dict),
            "generals": GENERAL_ROWS,
            "defeated": TEXTS,
            "winner": TEXT,
            "note": TEXT,
        },
    ),
    missing="{key}: missing",
)
step_from_json, step_to_json = _STEPS.read, _STEPS.write


# --- positions --------------------------------------------------------------------------


def new_from_json(request: Json) -> Position:
    """Return the starting position that a `new` request asks for.

    The request: {"decks": {side: name}, "first": side, "readings": {...}}. `texts` may bring the decks' files: {name:
    TOML}; the position in the answer brings them too. Raises BadPosition.
    """
    decks = decks_from_json(request)
    return game.new_game(
        decks, read_text(request.get("first"), "first", BadPosition), read_switched(request.get("readings", {}))
    )


def decks_from_json(request: Json) -> dict[str, Deck]:
    """Return the decks that a request names: {"decks": {side: name}}; raise BadPosition for an unknown one."""
    texts = _table(request, "texts")
    return {side: _deck(name, f"decks.{side}", texts) for side, name in _table(request, "decks").items()}


def _table(obj: Json, key: str) -> Json:
    return read_object(obj.get(key, {}), key, BadPosition)


def _deck(name: object, key: str, texts: Json) -> Deck:
    called = read_text(name, key, BadPosition)
    try:
        return read_from_texts(read_deck, called, texts) if called in texts else load_deck(called)
    except BadTable as fault:
        raise BadPosition(f"{key}: {fault}") from fault


def position_to_json(position: Position) -> Json:
    """Write a position as its JSON object, leaving out keys that say nothing."""
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
    out["generals"] = {
        fighter.label: {"zone": fighter.zone} | {name: value for name in FIGHTER if (value := getattr(fighter, name))}
        for fighter in side.fighters
    }
    return out | {key: value for key, value in lists.items() if value}


def position_from_json(obj: object) -> Position:
    """Read a position from its JSON object.

    Raises BadPosition if it is badly written or its decks cannot hold it.
    """
    table = read_object(obj, "position", BadPosition)
    sides = _table(table, "sides")
    if set(sides) != set(SIDES):
        raise BadPosition(f"sides: {' and '.join(SIDES)}")
    texts = _table(table, "texts")
    first, second = (_side_from_json(sides[who], f"sides.{who}", texts) for who in SIDES)
    winner, done = table.get("winner"), read_texts(table.get("done", []), "done", BadPosition)
    return Position(
        sides=(first, second),
        to_move=_who(table.get("to_move"), "to_move"),
        turn=read_count(table.get("turn", 1), "turn", BadPosition),
        last=read_one_of(LAST, table.get("last", ""), "last", BadPosition),
        done=tuple(read_one_of(TRIGGERS, deed, "done", BadPosition) for deed in done),
        winner=None if winner is None else _who(winner, "winner"),
        reason=read_one_of(REASONS, table.get("reason", ""), "reason", BadPosition),
        readings=switched_readings(game.readings(), read_switched(table.get("readings", {}))),
    )


def _who(value: object, key: str) -> int:
    return SIDES.index(read_one_of(SIDES, value, key, BadPosition))


def _side_from_json(value: object, key: str, texts: Json) -> Side:
    table = read_object(value, key, BadPosition)
    deck = _deck(table.get("deck"), f"{key}.deck", texts)
    rows = read_object(table.get("generals", {}), f"{key}.generals", BadPosition)
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
    row = read_object(value, key, BadPosition)
    name = card_of(label)
    if name not in deck.cards or deck.cards[name].kind != "general":
        raise BadPosition(f"{key}: no general of {deck.name}")
    values = read_optional(FIGHTER, row, key, BadPosition)
    for part in EQUIPMENT:
        card = values.get(part)
        if card and (card not in deck.cards or deck.cards[card].kind != part):
            raise BadPosition(f"{key}.{part}: {brief(card)} is no {part} card of {deck.name}")
    return Fighter(label, name, _zone(row.get("zone"), f"{key}.zone"), **values)


def _zone(value: object, key: str) -> Zone:
    for zone in ZONES:
        if value == zone:
            return zone
    raise BadPosition(f"{key}: expected one of {', '.join(get_args(Zone))}, not {brief(value)}")


def _weigh(side: Side, key: str) -> None:
    """Raise BadPosition for a side that its deck cannot hold."""
    if side.cards != side.deck.size:
        raise BadPosition(f"{key}: {side.cards} cards in all, and {side.deck.name} has {side.deck.size}")
    known: Counter[str] = side.known()
    for name, n in known.items():
        if n > side.deck.cards[name].copies:
            raise BadPosition(f"{key}: {n} of {name}, and {side.deck.name} has {side.deck.cards[name].copies}")
    if len(side.seen) > side.expended:
        raise BadPosition(f"{key}.seen: more cards than the expended zone has")


# --- requests ---------------------------------------------------------------------------


def _legal(request: Json) -> Json:
    found = game.legal(position_from_json(request.get("position")))
    out: Json = {"deploy": dict(found.deploy)}
    for what in ("use", "activate", "specials"):
        out[what] = list(getattr(found, what))
    for what in ("equip", "move", "attack"):
        out[what] = {name: list(to) for name, to in getattr(found, what).items()}
    return out


def _pending(position: Position) -> Json | None:
    owed = game.owed(position)
    if owed is None:
        return None
    return {"wants": owed.wants, "by": SIDES[owed.by], "cards": list(owed.cards), "message": owed.text}


def _general(request: Json) -> Json:
    """Answer with a general's points and their reasons.

    For the side to move, the answer also says who bars the general's way and who blocks them.
    """
    position = position_from_json(request.get("position"))
    side = read_text(request.get("side"), "side", BadRequest)
    label = read_text(request.get("general"), "general", BadRequest)
    index = SIDES.index(side) if side in SIDES else position.to_move
    fighter = position.sides[index].fighter(label)
    if fighter is None or side not in SIDES:
        raise BadRequest(f"general: {label!r} of {side!r} is not on the battlefield")
    out: Json = {form: _tally(points_of(position, index, fighter, form)) for form in ("military", "intelligence")}
    if index == position.to_move:
        way = passage_of(position, fighter)
        passage = {"enemies": list(way.enemies), "blockers": list(way.blockers), "missing": way.missing}
        out["passage"] = passage | {"cite": str(PASSAGE)}
    return out


def _tally(tally: Tally) -> Json:
    parts = [{"n": part.n, "why": part.why, "cite": str(part.citation)} for part in tally.parts]
    return {"total": tally.total, "parts": parts}


def _cost(request: Json) -> Json:
    """Answer with what a card costs a side now, and the reasons (Game Play 7)."""
    position = position_from_json(request.get("position"))
    side = read_text(request.get("side"), "side", BadRequest)
    name = read_text(request.get("card"), "card", BadRequest)
    index = SIDES.index(side) if side in SIDES else position.to_move
    card = position.sides[index].deck.cards.get(name)
    if card is None or side not in SIDES:
        raise BadRequest(f"card: {name!r} is no card of {side!r}")
    return _tally(cost_of(position, index, card))


def _outlook(request: Json) -> Json:
    """Answer with what the end of its turn would take from each side now."""
    position = position_from_json(request.get("position"))
    ends = {who: upkeep_of(position, index) for index, who in enumerate(SIDES)}
    return {
        "cite": str(UPKEEP),
        **{who: {"upkeep": end.generals, "lost": end.lost, "discard": end.over} for who, end in ends.items()},
    }


def _cut(request: Json) -> Json:
    """Answer with who decides which side moves first, by the cards that both have cut (Game Play 3)."""
    decks = decks_from_json(request)
    names = read_object(request.get("cut", {}), "cut", BadRequest)
    cut: dict[str, Card] = {}
    for who, name in names.items():
        card = decks[who].cards.get(read_text(name, f"cut.{who}", BadRequest)) if who in decks else None
        if card is None:
            raise BadRequest(f"cut.{who}: no card of the deck")
        cut[who] = card
    return {"decides": game.cut_winner(cut), "costs": {who: card.cost for who, card in cut.items()}}


GENERALS = System(
    name="generals",
    new=new_from_json,
    read_position=position_from_json,
    write_position=position_to_json,
    read_step=step_from_json,
    write_step=step_to_json,
    judge=game.judge,
    examine=game.examine,
    play=game.play,
    play_recorded=game.play_recorded,
    pending=_pending,
    event=lambda position, event: event,
    requests={"legal": _legal, "general": _general, "cost": _cost, "outlook": _outlook, "cut": _cut},
    brings=True,
)
"""The card game Generals Order as a system."""

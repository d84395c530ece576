"""Steps and positions as lines of text, for people to read and to type; `parse(format(x)) == x`.

A step:

    advance:c4 from d5=2t d3=1t                 reinforce:1 place e3=4t d3=2t recall b2=1t
    bombard:c3 at b3 with shore_strike          plan:2 draw 2          plan:1 draw ambush
    pass      roll 1 0 by black      reroll mobilise by black      remove 1t+1w by red in c3
    bomb:zone-green at b2 payload 2  paradrop:c2 at d4 recall b2=1t      return advance:b3 by yellow
    agreed b3=2t/red c1=- commanders sail:c1=red to black note "the ship was really there"
    play ambush by black             play mobilise by red place e3=2t             accept

    step     = deploy | "pass" | "accept" [by] | "roll" faces by | "reroll" card by
             | "remove" units by ["in" area] | "return" space by
             | "play" card by ["from" loads] ["place" loads] ["recall" loads] ["at" area] ["units" N]
             | "agreed" { area "=" stands } ["commanders" { space "=" factions }] ["to" faction]
             ["readings" { reading "=" answer }] besides ["note" text]
    besides  = ["standby" counts] ["left" counts] ["hands" { faction "=" (N | cards) }] ["discard" cards]
             ["initiative" faction] ["round" N] ["bonuses" { slot "=" token }] ["due" dice] ["winner" faction]
             ["passed" (faction { faction } | "-")]
    counts   = { faction "=" N }
    deploy   = space ["from" loads] ["place" loads] ["recall" loads] ["at" area] ["payload" N] ["draw" (N | cards)]
             ["with" cards]
    by       = "by" faction
    loads    = area "=" units { area "=" units }        the area "reserve" is the reserve
    units    = N kind { "+" N kind }                    kinds: t troop, s ship, w siege weapon, a aircraft
    stands   = N kind "/" faction { "+" N kind "/" faction } | "-"          factions = faction { "+" faction } | "-"
    faces    = N { N } | "-"          cards = card { card } | "-"

A position is its fields with ";" between them, the board first, the others in any order:

    sengoku-rivers; round 2; initiative red; to_move black; bonuses sun=barracks moon=war_room;
    red d3=2t e3=3t e4=3s; black a3=3t a4=3s; commanders advance:c4=red+black plan:1=black; left red=4 black=3;
    standby red=0 black=1; hands red=ambush+mobilise black=2; discard commandeer; spent red=ambush;
    readings empty-target; turn advance:c4 defence area=c4 dice=1; winner red hq_lost

(on one line). `round`, `initiative` and `to_move` must be there; a field left out is empty, `left` then counts the
commanders that are not on a space. A hand is cards, "-" for none, or a number where it is hidden. After `turn` come the
space and the stage; then what is not empty of area, contested, dice, faces, losses (faction/area/number), places,
seizable, begun (faction/number), payload and returns, `then` with what follows the losses unless it is the end, and
`closed` where no card may be played any more.

Words are small letters, digits, "_", ":" and "-"; capitals are read as small. Any other name, and a name that is
itself a word of the grammar, is written in double quotes as JSON writes text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any

from engine.errors import BadPosition, BadStep
from engine.orders.board import load_board
from engine.orders.describe import describe_step
from engine.orders.notation.fields import (
    AGREED,
    CARDS,
    COUNTS,
    HANDS,
    LISTS,
    NAME,
    NUMBER,
    TOKENS,
    Field,
    names,
    read_joined,
    read_pairs,
    row,
)
from engine.orders.notation.lines import NOTHING, Line, quote_name
from engine.orders.notation.turn_line import format_turn, read_turn
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step
from engine.orders.wire import position_from_json, position_to_json
from engine.orders.wire.steps import BESIDES

__all__ = ["describe_step", "format_position", "format_step", "parse_position", "parse_step"]

Json = dict[str, Any]
Units = tuple[tuple[str, int], ...]

_KINDS = {"t": "troop", "s": "ship", "w": "siege", "a": "aircraft"}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}


# --- steps ------------------------------------------------------------------------------


def format_step(step: Step) -> str:
    """A step as one line.

    >>> format_step(Deploy("advance:c4", moves=(("d5", "troop", 2), ("d3", "troop", 1))))
    'advance:c4 from d5=2t d3=1t'
    """
    return " ".join(_FORMAT[type(step)](step))


def parse_step(text: str) -> Step:
    """The step that a line says. Raises BadStep with what is wrong, and the column.

    >>> parse_step("roll 1 0 by black")
    Roll(dice=(1, 0), by='black')
    """
    line = Line(text, BadStep)
    word = next(filter(line.skip, _PARSE), None)
    step = _read_deploy(line) if word is None else _PARSE[word](line)
    line.end()
    return step


def _units(units: Iterable[tuple[str, int]]) -> str:
    return "+".join(f"{n}{_kind(kind)}" for kind, n in units) or NOTHING


def _kind(kind: str) -> str:
    return f'"{kind}"' if kind in _KINDS else _LETTERS.get(kind) or quote_name(kind)


def _loads(word: str, loads: Iterable[Load]) -> list[str]:
    parts = [
        f"{quote_name(area)}={_units((kind, n) for _, kind, n in group)}"
        for area, group in groupby(loads, key=lambda load: load[0])
    ]
    return [word, *parts] if parts else []


def _said(word: str, name: str | None) -> list[str]:
    return [] if name is None else [word, quote_name(name)]


def _format_deploy(step: Deploy) -> list[str]:
    parts = [quote_name(step.space), *_loads("from", step.moves), *_loads("place", step.place)]
    parts += [*_loads("recall", step.recall), *_said("at", step.target)]
    parts += [] if step.payload is None else ["payload", str(step.payload)]
    if step.draw is not None:
        parts += ["draw", *([str(step.draw)] if isinstance(step.draw, int) else names(step.draw))]
    return parts + (["with", *names(step.cards)] if step.cards else [])


def _format_play(step: Play) -> list[str]:
    parts = ["play", quote_name(step.card), *_said("by", step.by)]
    parts += [*_loads("from", step.moves), *_loads("place", step.place), *_loads("recall", step.recall)]
    return parts + _said("at", step.target) + ([] if step.units is None else ["units", str(step.units)])


def _format_agreed(step: Agreed) -> list[str]:
    parts = ["agreed"]
    for area, units in step.areas:
        parts.append(
            f"{quote_name(area)}={'+'.join(f'{n}{_kind(u)}/{quote_name(who)}' for who, u, n in units) or NOTHING}"
        )
    parts += ["commanders"] if step.spaces else []
    parts += [f"{quote_name(space)}={'+'.join(names(holders))}" for space, holders in step.spaces]
    parts += _said("to", step.to_move)
    parts += ["readings"] if step.readings else []
    parts += [f"{quote_name(name)}={quote_name(answer)}" for name, answer in step.readings]
    table = BESIDES.write(step.besides)
    for word, (key, write, _) in AGREED.items():
        parts += [word, write(table[key])] if key in table else []
    return parts + _said("note", step.note or None)


_FORMAT: dict[type[Step], Callable[[Any], list[str]]] = {
    Deploy: _format_deploy,
    Pass: lambda step: ["pass"],
    Play: _format_play,
    Roll: lambda step: ["roll", *(map(str, step.dice) if step.dice else NOTHING), *_said("by", step.by)],
    Reroll: lambda step: ["reroll", quote_name(step.card), *_said("by", step.by)],
    Agreed: _format_agreed,
    Remove: lambda step: ["remove", _units(step.units), *_said("by", step.by), *_said("in", step.area)],
    Return: lambda step: ["return", quote_name(step.space), *_said("by", step.by)],
    Accept: lambda step: ["accept", *_said("by", step.by)],
}


def _read_unit(line: Line) -> tuple[str, int]:
    n = line.number("a number of units")
    quoted = line.next.kind == "quoted"
    kind = line.name("a kind of unit")
    return (kind if quoted else _KINDS.get(kind, kind)), n


def _read_units(line: Line) -> Units:
    return tuple(line.joined(lambda: _read_unit(line)))


def _read_loads(line: Line, word: str) -> tuple[Load, ...]:
    if not line.skip(word):
        return ()
    loads: list[Load] = []
    while not loads or line.has_name():
        area = line.name("an area")
        line.need("=")
        loads += [(area, kind, n) for kind, n in _read_units(line)]
    return tuple(loads)


def _read_said(line: Line, word: str, what: str) -> str | None:
    return line.name(what) if line.skip(word) else None


def _read_by(line: Line) -> str:
    line.need("by")
    return line.name("a faction")


def _read_draw(line: Line) -> tuple[str, ...] | int | None:
    if not line.skip("draw"):
        return None
    return line.number("a number of cards") if line.next.kind == "number" else tuple(line.names("a card or a number"))


def _read_deploy(line: Line) -> Deploy:
    return Deploy(
        space=line.name("an action space or one of " + ", ".join(_PARSE)),
        moves=_read_loads(line, "from"),
        place=_read_loads(line, "place"),
        recall=_read_loads(line, "recall"),
        target=_read_said(line, "at", "an area"),
        payload=line.number("a number of units") if line.skip("payload") else None,
        draw=_read_draw(line),
        cards=tuple(line.names("a card")) if line.skip("with") else (),
    )


def _read_play(line: Line) -> Play:
    return Play(
        card=line.name("a card"),
        by=_read_by(line),
        moves=_read_loads(line, "from"),
        place=_read_loads(line, "place"),
        recall=_read_loads(line, "recall"),
        target=_read_said(line, "at", "an area"),
        units=line.number("a number of units") if line.skip("units") else None,
    )


def _read_stand(line: Line) -> tuple[str, str, int]:
    kind, n = _read_unit(line)
    line.need("/")
    return line.name("a faction"), kind, n


def _read_agreed(line: Line) -> Agreed:
    areas = read_pairs(line, lambda line: tuple(line.joined(lambda: _read_stand(line))))
    spaces = read_pairs(line, read_joined) if line.skip("commanders") else {}
    to_move = _read_said(line, "to", "a faction")
    readings = read_pairs(line, lambda line: line.name("an answer")) if line.skip("readings") else {}
    besides = {key: read(line) for word, (key, _, read) in AGREED.items() if line.skip(word)}
    return Agreed(
        areas=tuple(areas.items()),
        spaces=tuple((space, tuple(holders)) for space, holders in spaces.items()),
        to_move=to_move,
        note=_read_said(line, "note", "a note") or "",
        readings=tuple(readings.items()),
        besides=BESIDES.read(besides, BadStep),
    )


_PARSE: dict[str, Callable[[Line], Step]] = {
    "pass": lambda line: Pass(),
    "play": _read_play,
    "roll": lambda line: Roll(tuple(line.numbers("a face")), _read_by(line)),
    "reroll": lambda line: Reroll(line.name("a card"), _read_by(line)),
    "remove": lambda line: Remove(_read_units(line), _read_by(line), _read_said(line, "in", "an area")),
    "return": lambda line: Return(line.name("an action space"), _read_by(line)),
    "agreed": _read_agreed,
    "accept": lambda line: Accept(_read_said(line, "by", "a faction")),
}


# --- positions --------------------------------------------------------------------------


def format_position(position: Position) -> str:
    """A position as one line, inside a turn too."""
    table = position_to_json(position)
    fields = [quote_name(table["board"])]
    table["standby"] = {faction: n for faction, n in table["standby"].items() if n}
    table["hands"] = {faction: hand for faction, hand in table["hands"].items() if hand != []}
    fields += _fields(_HEAD, table)
    fields += [_side(faction, table["units"]) for faction in position.board.factions]
    fields += _fields(_REST, table)
    if position.turn is not None:
        fields.append(format_turn(table["turn"]))
    if position.winner is not None:
        reason = [] if position.reason is None else [quote_name(position.reason)]
        fields.append(" ".join(["winner", quote_name(table["winner"]), *reason]))
    return "; ".join(fields)


def _fields(fields: Mapping[str, Field], table: Json) -> list[str]:
    return [f"{key} {write(table[name])}" for key, (name, write, _) in fields.items() if table.get(name)]


def parse_position(text: str) -> Position:
    """The position that a line says.

    Raises BadPosition (what is wrong, and the column or the key) or UnknownBoard.
    """
    line = Line(text, BadPosition)
    board = load_board(line.name("a board"))
    table: Json = {"board": board.name, "units": {}}
    written_fields: set[str] = set()
    while line.skip(";"):
        key = line.next.text
        if key in written_fields:
            raise line.refuse(f"{key} is written twice")
        written_fields.add(key)
        _read_field(line, table, board.factions)
    line.end()
    return position_from_json(table)


def _read_field(line: Line, table: Json, factions: tuple[str, str]) -> None:
    known = (*_FIELDS, "turn", "winner", *factions)
    if line.next.kind != "word" or line.next.text not in known:
        raise line.fail(f"a field ({', '.join(known)})")
    key = line.take().text
    if key in _FIELDS:
        name, _, read = _FIELDS[key]
        table[name] = read(line)
    elif key == "turn":
        table["turn"] = read_turn(line)
    elif key == "winner":
        table["winner"] = line.name("a faction")
        table["reason"] = line.name("a reason") if line.has_name() else None
    else:
        _read_side(line, key, table["units"])


def _side(faction: str, units: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    parts = (f"{quote_name(area)}={_units(here[faction].items())}" for area, here in units.items() if faction in here)
    return " ".join([quote_name(faction), *parts])


def _read_side(line: Line, faction: str, units: Json) -> None:
    for area, kinds in read_pairs(line, _read_units).items():
        if len(dict(kinds)) < len(kinds):
            raise line.refuse(f"a kind of unit is written twice in {area}")
        units.setdefault(area, {})[faction] = dict(kinds)


_HEAD: dict[str, Field] = {
    "round": ("round", *NUMBER),
    "initiative": ("initiative", *NAME),
    "to_move": ("to_move", *NAME),
    "bonuses": ("bonuses", *TOKENS),
}
_REST: dict[str, Field] = {
    "commanders": ("commanders", *LISTS),
    "left": ("commanders_left", *COUNTS),
    "standby": ("standby", *COUNTS),
    "hands": ("hands", *HANDS),
    "discard": ("discard", *CARDS),
    "spent": ("spent", *LISTS),
    "passed": ("passed", row, lambda line: line.names("a faction")),
    "readings": ("readings", row, lambda line: dict.fromkeys(line.names("a reading"), "other")),
}
_FIELDS = {**_HEAD, **_REST}

"""A draft as the text of a board file: TOML that people can read, and the engine reads back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from companion.tracing.draft import Draft, OwnCard, Patch, Section, SupportNumber, Units
from companion.tracing.hexes import Point
from companion.tracing.shape import ZONE, Shape, shape_of

HEAD = """\
# {name}: a copy of the game, taken down by its owner with `gunbai trace`.
# Places are in mm, x to the right and y down, from the board's top left corner. A name such as b3 is a column's letter
# and a hex's number from the bottom; an area of several hexes has the name of the lowest one in its first column.
"""
SUPPORT = "\n# The action spaces of the support board, as printed on this copy.\n"
CARDS = """
# The cards of this copy. A card of the verb "table" is resolved by the players.
"""
SPACES = "\n# Where each action space is printed: the middle of its small hex.\n[spaces]\n"


def board_text(draft: Draft, slots: Sequence[str] = ()) -> str:
    """The board file of a draft. `slots`: the order in which the game names its bonus slots.

    Raises NotOnePiece for an area that is not one piece; what else is wrong the engine will say when it reads it.
    """
    shape = shape_of(draft)
    parts = [_head(draft, slots)]
    parts += [_area(shape, name, patch) for name, patch in shape.areas.items()]
    parts += [_section(shape, section) for section in sorted(draft.sections, key=lambda one: one.zone)]
    parts.append(SPACES + "".join(_spaces(shape)))
    owned = [spot for spot in draft.spots if spot.faction]
    if owned:
        rows = (f"{_key(f'{spot.action}:{shape.name_of(spot.on)}')} = {_text(spot.faction)}\n" for spot in owned)
        parts.append("\n# Spaces that one faction alone may use.\n[space_faction]\n" + "".join(rows))
    if draft.support:
        parts.append(SUPPORT + "\n".join(map(_support, draft.support)))
    if draft.cards:
        parts.append(CARDS + "\n".join(map(_card, draft.cards)))
    return "".join(parts)


def _head(draft: Draft, slots: Sequence[str]) -> str:
    taken = {patch.slot for patch in draft.patches if patch.slot}
    order = [slot for slot in slots if slot in taken]
    order += sorted(taken.difference(order))
    side = draft.grid.side_mm if draft.grid else 1.0
    lines = [
        HEAD.format(name=draft.name) + f"board = {_text(draft.name)}",
        f"mode = {_text(draft.mode)}",
        'known = "owner"',
        f"size_mm = {_point(draft.size_mm)}",
        f"hex_side_mm = {_number(side)}",
        f"space_side_mm = {_number(draft.space_side_mm)}",
        f"slots = {_texts(order)}",
    ]
    if draft.scenery:
        lines.append(f"scenery = {_text(draft.scenery)}")
    return "\n".join(lines) + "\n"


def _area(shape: Shape, name: str, patch: Patch) -> str:
    lines = [f"\n[areas.{name}]", f"kind = {_text(patch.kind)}"]
    lines.append(f"hexes = {_texts(sorted(shape.names[cell] for cell in patch.cells))}")
    lines += [f"{key} = {_text(value)}" for key, value in (("hq", patch.hq), ("slot", patch.slot)) if value]
    if patch.vp:
        lines.append(f"vp = {patch.vp}")
    ports = shape.ports(patch)
    if ports:
        lines.append(f"ports = {_texts(ports)}")
    lines += [f"{key} = true" for key, on in (("fort", patch.fort), ("no_drop", patch.no_drop)) if on]
    lines += [f"{key} = {_text(value)}" for key, value in (("printed", patch.printed),) if value]
    if patch.zone:
        lines.append(f"zone = {_text(ZONE + patch.zone)}")
    assert shape.draft.grid
    centres = [shape.draft.grid.centre(cell) for cell in patch.cells]
    return _place(lines, shape, name, (patch.start, centres))


def _section(shape: Shape, section: Section) -> str:
    name = ZONE + section.zone
    lines = [f"\n# The aircraft section of the {section.zone} zone.\n[areas.{name}]", 'kind = "air"', "hexes = []"]
    return _place(lines, shape, name, (section.start, [section.centre_mm]))


def _place(lines: list[str], shape: Shape, name: str, held: tuple[Units, Sequence[Point]]) -> str:
    """What every area ends with: its borders, what begins there, its outline and the middles of its hexes."""
    start, centres = held
    lines.append(f"adjacent = {_texts(shape.near[name])}")
    for faction in dict.fromkeys(row[0] for row in start):
        units = ", ".join(f"{unit} = {n}" for who, unit, n in start if who == faction)
        lines.append(f"start.{faction} = {{ {units} }}")
    lines.append(f"polygon_mm = {_points(shape.outline(name))}")
    lines.append(f"centres_mm = {_points(centres)}")
    return "\n".join(lines) + "\n"


def _spaces(shape: Shape) -> Iterator[str]:
    rows = [(spot.action, shape.name_of(spot.on), spot.at_mm) for spot in shape.draft.spots]
    order = {spot.action: i for i, spot in reversed(list(enumerate(shape.draft.spots)))}
    for action, area, at in sorted(rows, key=lambda row: (order[row[0]], row[1])):
        yield f"{_key(f'{action}:{area}')} = {_point(at)}\n"


def _support(row: SupportNumber) -> str:
    lines = [f"[support.{_key(row.space)}]", f"amount = {row.amount}"]
    lines += [f"siege = {row.siege}"] * bool(row.siege)
    lines += ["initiative = true"] * row.initiative
    if row.amounts:
        lines.append("amounts = { " + ", ".join(f"{faction} = {n}" for faction, n in row.amounts) + " }")
    return "\n".join([*lines, 'known = "owner"\n'])


def _card(card: OwnCard) -> str:
    words = ("title", "text", "condition", "by", "action", "moment", "verb")
    lines = [f"[cards.{card.name}]", f"copies = {card.copies}", f"amount = {card.amount}"]
    lines += [f"{key} = {_text(getattr(card, key))}" for key in words]
    lines += [f"unit = {_text(card.unit)}"] * bool(card.unit)
    lines += ["into_enemy = true"] * card.into_enemy
    return "\n".join([*lines, 'known = "owner"\n'])


# ---- values -----------------------------------------------------------------------------------


def _text(text: str) -> str:
    """A text as TOML has it: JSON's form, but for the one control character that TOML refuses raw."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _texts(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _key(name: str) -> str:
    return _text(name)


def _number(value: float) -> str:
    return f"{round(value, 2):g}" if round(value, 2) % 1 else f"{round(value)}.0"


def _point(point: Point) -> str:
    return f"[{_number(point[0])}, {_number(point[1])}]"


def _points(points: Iterable[Point]) -> str:
    return f"[{', '.join(map(_point, points))}]"

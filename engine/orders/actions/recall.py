"""Units taken back where the reserve is short (Insufficient Units, Not Enough Troops?, Not Enough Aircraft?)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.orders.draft import Draft
from engine.orders.position import Outlook, Position, outlook_of
from engine.orders.steps import Load
from engine.ruling import Hearing
from engine.words import kind_words

ENTERED = "recall-entered"
"""The reading by which units may be taken back from an area that this very action has entered."""
MORE = "recall-more"
"""The reading by which more units may be taken back than the reserve is short of."""


class Needs(NamedTuple):
    """What needs units from the reserve: its name, its kinds, and by unit how many in all and for the action alone."""

    what: str
    kinds: tuple[int, ...]
    whole: Mapping[str, int]
    own: Mapping[str, int]


def judge(hearing: Hearing, outlook: Outlook, needs: Needs, loads: Sequence[Load], entered: int = 0) -> Position:
    """Judge a recall, and return the position after it.

    Units must be allowed back, and only as many as the reserve is short of. entered: the areas, as a set, that the
    acting faction has entered in this very action.
    """
    fitting = [load for load in loads if _judge_load(hearing, outlook, needs, load)]
    for area in dict.fromkeys(name for name, _, _ in fitting):
        # control is asked for as the action starts: not of an area that its units have only now come into
        new = (entered | outlook.enemy) >> outlook.board.area_index[area] & 1
        if entered or new:
            hearing.weigh("recall.entered", not new or ENTERED in outlook.position.readings, area=area)
    topic = _topic(outlook, needs)
    fitting = [load for load in fitting if _judge_last(hearing, outlook, fitting, load, topic)]
    back = Counter[str]()
    for _, unit, n in fitting:
        back[unit] += n
    for unit, n in back.items():
        left = outlook.position.reserve(outlook.me, outlook.mode.unit_index[unit])
        lack = needs.whole.get(unit, 0) - left
        if not hearing.weigh("recall.short", lack > 0, topic=topic, kind=kind_words(unit), left=left):
            continue
        more = n <= lack or MORE in outlook.position.readings
        hearing.weigh("recall.more", more, topic=topic, unit=unit, n=n, lack=lack, left=left)
        beyond = min(n, lack) - max(0, needs.own.get(unit, 0) - left)
        if more and beyond > 0:
            strict = "short-reserve" in outlook.position.readings
            hearing.weigh("recall.beyond", not strict, topic=topic, unit=unit, n=beyond)
    return position_after(outlook, fitting) if fitting else outlook.position


def _judge_load(hearing: Hearing, outlook: Outlook, needs: Needs, load: Load) -> bool:
    name, unit, n = load
    area = outlook.board.area_index.get(name)
    if not hearing.weigh("area.known", area is not None, area=name) or area is None:
        return False
    fits = outlook.mode.unit_index.get(unit) in needs.kinds
    topic = _topic(outlook, needs)
    if not hearing.weigh("recall.kind", fits, topic=topic, unit=unit, n=n, action=needs.what):
        return False
    return hearing.weigh("recall.control", bool(outlook.control >> area & 1), topic=topic, area=name)


def _topic(outlook: Outlook, needs: Needs) -> str:
    """Return the topic by which a recall is cited: the kind of area of the units that are needed."""
    return outlook.mode.units[needs.kinds[0]].place


def _judge_last(hearing: Hearing, outlook: Outlook, loads: Sequence[Load], load: Load, topic: str) -> bool:
    name, unit, _ = load
    area = outlook.board.area_index[name]
    there, whole = outlook.rows[outlook.mode.unit_index[unit]][area], sum(row[area] for row in outlook.rows)
    of_kind = sum(n for where, kind, n in loads if (where, kind) == (name, unit))
    leaving = sum(n for where, _, n in loads if where == name)
    fits = of_kind <= there and leaving < whole
    return hearing.weigh("recall.last-unit", fits, topic=topic, area=name, there=there, unit=unit, n=of_kind)


def position_after(outlook: Outlook, loads: Sequence[Load]) -> Position:
    """Return the position once these units are back in the reserve.

    No area loses its last unit, so supply stays.
    """
    rows = [list(row) for row in outlook.rows]
    for name, unit, n in loads:
        rows[outlook.mode.unit_index[unit]][outlook.board.area_index[name]] -= n
    mine, units = tuple(map(tuple, rows)), outlook.position.units
    return replace(outlook.position, units=(units[0], mine) if outlook.me else (mine, units[1]))


def outlook_after(hearing: Hearing, outlook: Outlook, needs: Needs, loads: Sequence[Load]) -> Outlook:
    """Judge a recall as `judge` does, and return the acting faction's outlook after it."""
    if not loads:
        return outlook
    return outlook_of(judge(hearing, outlook, needs, loads), outlook.me)


def perform(draft: Draft, faction: int, loads: Sequence[Load]) -> None:
    """Carry out a recall: send the units back to the reserve."""
    for name, unit, n in loads:
        area, kind = draft.board.area_index[name], draft.mode.unit_index[unit]
        draft.add(faction, kind, area, -n)
        draft.tell("recalled", faction, area, kind, n)

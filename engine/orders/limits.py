"""The limits of areas: what is above them goes home at the end of an action (Unit Restrictions, Reinforce)."""

from __future__ import annotations

from engine.orders.outlook import Outlook
from engine.ruling import Hearing

AT_EVERY_END = "cap-every-action"
"""The reading by which that is so where no conflict was: in some books only conflicts and placements say it."""


def judge_surplus(hearing: Hearing, seen: Outlook, area: int, place: str, coming: int) -> None:
    """Say that units go home which come into an area above its limit without a conflict, where that is a reading."""
    kinds, most = seen.mode.kinds_on[place], seen.mode.caps[place]
    n = coming + sum(seen.rows[kind][area] for kind in kinds)
    if AT_EVERY_END in seen.mode.readings and n > most and not seen.enemy >> area & 1:
        unit = seen.mode.units[kinds[0]].name
        hearing.weigh("limit.end", True, topic=place, area=seen.name(area), n=n, unit=unit, most=most)

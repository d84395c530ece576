"""Steps as JSON objects (dict in, dict out)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.codec import (
    COUNT,
    DICE,
    TEXT,
    TEXTS,
    TRUE,
    Fault,
    KeyGroup,
    Kind,
    Record,
    StepCodec,
    pairs,
    read_counts,
    read_object,
    read_texts,
)
from engine.orders.steps import (
    Accept,
    Agreed,
    Deploy,
    Load,
    OtherCorrections,
    Pass,
    Play,
    Remove,
    Reroll,
    Return,
    Roll,
    Step,
    merge_loads,
)
from engine.orders.wire.positions import HAND, read_hand, write_hand


def _read_loads(value: object, key: str, fault: Fault) -> tuple[Load, ...]:
    """Read {area: {unit: n}}, or {faction: {unit: n}}, as (area, unit, n) without its zeros."""
    return tuple(
        (area, unit, n)
        for area, units in read_object(value, key, fault).items()
        for unit, n in read_counts(units, f"{key}.{area}", fault).items()
    )


def _write_loads(loads: Sequence[Load]) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for area, unit, n in merge_loads(loads):
        out.setdefault(area, {})[unit] = n
    return out


LOADS = Kind(_read_loads, _write_loads)
UNITS = Kind(
    lambda value, key, fault: tuple(read_counts(value, key, fault).items()),
    lambda units: {unit: n for _, unit, n in merge_loads([("", unit, n) for unit, n in units])},
)
HOLDERS = Kind(
    lambda value, key, fault: (value,) if isinstance(value, str) else read_texts(value, key, fault),
    lambda holders: holders[0] if len(holders) == 1 else list(holders),
)
"""One faction, or a list of them."""
DRAWN = Kind(lambda value, key, fault: read_hand(value, key, fault, ordered=True), write_hand)

OTHER_CORRECTIONS = Record(
    OtherCorrections,
    {
        "standby": pairs(COUNT),
        "commanders_left": ("left", pairs(COUNT)),
        "hands": pairs(HAND),
        "discard": TEXTS,
        "initiative": TEXT,
        "round": COUNT,
        "bonuses": pairs(TEXT),
        "dice": COUNT,
        "winner": TEXT,
        "passed": TEXTS,
    },
    part=True,
)
"""What an `agreed` step corrects besides the board, as keys of its own object."""
_STEPS = StepCodec[Step](
    Record(
        Deploy,
        {
            "deploy": ("space", TEXT),
            "moves": LOADS,
            "place": LOADS,
            "recall": LOADS,
            "target": TEXT,
            "draw": DRAWN,
            "cards": TEXTS,
            "payload": COUNT,
        },
    ),
    Record(Pass, {"pass": TRUE}),
    Record(
        Play,
        {
            "play": ("card", TEXT),
            "by": TEXT,
            "moves": LOADS,
            "place": LOADS,
            "recall": LOADS,
            "target": TEXT,
            "units": COUNT,
        },
    ),
    Record(Roll, {"roll": ("dice", DICE), "by": TEXT}),
    Record(Reroll, {"reroll": ("card", TEXT), "by": TEXT}),
    Record(Remove, {"remove": ("units", UNITS), "by": TEXT, "area": TEXT}),
    Record(Return, {"return": ("space", TEXT), "by": TEXT}),
    Record(Accept, {"accept": TRUE, "by": TEXT}),
    Record(
        Agreed,
        {
            "agreed": ("areas", pairs(LOADS)),
            "commanders": ("spaces", pairs(HOLDERS)),
            "to_move": TEXT,
            "readings": pairs(TEXT),
            "other": KeyGroup(OTHER_CORRECTIONS.keys, OTHER_CORRECTIONS.read, OTHER_CORRECTIONS.write),
            "note": TEXT,
        },
    ),
)
step_from_json, step_to_json = _STEPS.read, _STEPS.write

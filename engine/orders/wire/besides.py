"""What an `agreed` step says besides the board, as keys of its JSON object."""

from __future__ import annotations

from typing import Any

from engine.errors import BadStep
from engine.orders.steps import Besides
from engine.orders.wire.parts import read_hand
from engine.parts import Json, read_count, read_table, read_text, read_texts

KEYS = ("standby", "commanders_left", "hands", "discard", "initiative", "round", "bonuses", "dice", "winner", "passed")


def besides_from_json(obj: Json) -> Besides:
    """What the keys of an `agreed` step say. Raises BadStep with one clear line."""
    return Besides(
        standby=_counts(obj, "standby"),
        left=_counts(obj, "commanders_left"),
        hands=tuple((faction, read_hand(hand, f"hands.{faction}", BadStep)) for faction, hand in _table(obj, "hands")),
        discard=read_texts(obj["discard"], "discard", BadStep) if "discard" in obj else None,
        initiative=_name(obj, "initiative"),
        round=read_count(obj["round"], "round", BadStep) if "round" in obj else None,
        bonuses=tuple((slot, read_text(token, f"bonuses.{slot}", BadStep)) for slot, token in _table(obj, "bonuses")),
        dice=read_count(obj["dice"], "dice", BadStep) if "dice" in obj else None,
        winner=_name(obj, "winner"),
        passed=read_texts(obj["passed"], "passed", BadStep) if "passed" in obj else None,
    )


def besides_to_json(besides: Besides) -> Json:
    """The keys that say something."""
    hands = {faction: hand if isinstance(hand, int) else list(hand) for faction, hand in besides.hands}
    out: Json = {
        "standby": dict(besides.standby) or None,
        "commanders_left": dict(besides.left) or None,
        "hands": hands or None,
        "discard": None if besides.discard is None else list(besides.discard),
        "initiative": besides.initiative,
        "round": besides.round,
        "bonuses": dict(besides.bonuses) or None,
        "dice": besides.dice,
        "winner": besides.winner,
        "passed": None if besides.passed is None else list(besides.passed),
    }
    return {key: value for key, value in out.items() if value is not None}


def _table(obj: Json, key: str) -> list[tuple[str, Any]]:
    return list(read_table(obj.get(key, {}), key, BadStep).items())


def _counts(obj: Json, key: str) -> tuple[tuple[str, int], ...]:
    return tuple((faction, read_count(n, f"{key}.{faction}", BadStep)) for faction, n in _table(obj, key))


def _name(obj: Json, key: str) -> str | None:
    return read_text(obj[key], key, BadStep) if key in obj else None

"""JSON objects read and written: the parts that the forms of all systems share, and steps by tables of their fields.

What comes in is plain JSON that anyone may have written; what goes out is values, or one line that names the key at
fault: `moves.b2.troop: a number from 0, not -1`. Which error is raised is the caller's choice (`fault`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Generic, TypeVar

from engine.errors import BadPosition, BadStep, EngineError

T = TypeVar("T")
Json = dict[str, Any]
Fault = type[EngineError]
MOST_ENTRIES = 1000
"""The most entries of an object or a list: no box holds as many pieces or cards, and each costs time."""


def brief(value: object) -> str:
    """Return a value as a message shows it, cut to 40 characters."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


# --- single values ----------------------------------------------------------------------


def read_object(value: object, key: str, fault: Fault) -> Json:
    """Return the value if it is an object; otherwise raise the fault."""
    if not isinstance(value, dict):
        raise fault(f"{key}: expected an object, not {brief(value)}")
    _refuse_many(len(value), key, fault)
    return value


def read_list(value: object, key: str, what: str, fault: Fault) -> list[Any]:
    """Return the value if it is a list of at most MOST_ENTRIES; otherwise raise the fault.

    `what` completes "a list" in its message.
    """
    if not isinstance(value, list):
        raise fault(f"{key}: expected a list{what}, not {brief(value)}")
    _refuse_many(len(value), key, fault)
    return value


def _refuse_many(entries: int, key: str, fault: Fault) -> None:
    if entries > MOST_ENTRIES:
        raise fault(f"{key}: at most {MOST_ENTRIES} entries, not {entries}")


def read_text(value: object, key: str, fault: Fault) -> str:
    """Return the value if it is a string; otherwise raise the fault."""
    if not isinstance(value, str):
        raise fault(f"{key}: expected a name, not {brief(value)}")
    return value


def read_texts(value: object, key: str, fault: Fault) -> tuple[str, ...]:
    """Return the value as a tuple if it is a list of strings; otherwise raise the fault."""
    names = read_list(value, key, " of names", fault)
    return tuple(read_text(name, f"{key}[{i}]", fault) for i, name in enumerate(names))


def read_one_of(words: Sequence[str], value: object, key: str, fault: Fault) -> str:
    """Return the value if it is one of these words; otherwise raise the fault.

    "" may be among the words; the message does not name it.
    """
    word = read_text(value, key, fault)
    if word not in words:
        raise fault(f"{key}: expected one of {', '.join(filter(None, words))}, not {brief(word)}")
    return word


def read_count(value: object, key: str, fault: Fault) -> int:
    """Return the value if it is a whole number from 0; otherwise raise the fault."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise fault(f"{key}: expected a number from 0, not {brief(value)}")
    return value


def read_counts(value: object, key: str, fault: Fault) -> dict[str, int]:
    """Read an object of numbers and drop its zeros; raise the fault for anything else."""
    counts = {name: read_count(n, f"{key}.{name}", fault) for name, n in read_object(value, key, fault).items()}
    return {name: n for name, n in counts.items() if n}


def read_switch(value: object, key: str, fault: Fault) -> bool:
    """Return the value if it is true or false; otherwise raise the fault."""
    if not isinstance(value, bool):
        raise fault(f"{key}: expected true or false, not {brief(value)}")
    return value


def read_switched(value: object) -> list[str]:
    """Return the names of the readings that a `readings` object answers with "other".

    Raises BadPosition for anything but an object of "default" and "other".
    """
    answers = read_object(value, "readings", BadPosition)
    for name, answer in answers.items():
        if answer not in ("default", "other"):
            raise BadPosition(f'readings.{name}: "default" or "other"')
    return [name for name, answer in answers.items() if answer == "other"]


def read_from_texts(read: Callable[[str, str, str], T], name: str, texts: Json) -> T:
    """Read the owner's file that a request brings along in its `texts` under this name.

    `read` takes the name, the text, and what to call the file in faults. Raises BadPosition if the file is no text, and
    what `read` raises.
    """
    key = f"texts.{name}"
    return read(name, read_text(texts[name], key, BadPosition), key)


# --- values by tables of their fields ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of value is read (from its JSON, its key and the fault to raise) and written."""

    read: Callable[[object, str, Fault], Any]
    write: Callable[[Any], Any] = lambda value: value


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Several keys of an object that together make one value."""

    keys: tuple[str, ...]
    read: Callable[[Json, Fault], Any]
    write: Callable[[Any], Json]


def read_optional(kinds: Mapping[str, Kind], table: Json, key: str, fault: Fault) -> dict[str, Any]:
    """Read those keys of `kinds` that an object has, each by its kind, or raise the fault.

    `key` is the object's own, to name it in the fault.
    """
    return {name: kind.read(table[name], f"{key}.{name}", fault) for name, kind in kinds.items() if name in table}


def pairs(kind: Kind) -> Kind:
    """Return the kind of an object with any keys and one kind of value, read as ((key, value), ...)."""

    def read(value: object, key: str, fault: Fault) -> tuple[tuple[str, Any], ...]:
        table = read_object(value, key, fault)
        return tuple((name, kind.read(entry, f"{key}.{name}", fault)) for name, entry in table.items())

    return Kind(read, lambda entries: {name: kind.write(entry) for name, entry in entries})


def rows(read: Callable[[object, str, Fault], Json]) -> Kind:
    """Return the kind of an object of named rows, each read by `read`; null stands for a thing no longer there."""
    row = Kind(
        lambda value, key, fault: None if value is None else read(value, key, fault),
        lambda value: None if value is None else dict(value),
    )
    table = pairs(row)
    return Kind(lambda *given: dict(table.read(*given)), lambda by_name: table.write(by_name.items()))


def _read_true(value: object, key: str, fault: Fault) -> bool:
    if value is not True:
        raise fault(f"{key}: true is the only value")
    return True


def _read_dice(value: object, key: str, fault: Fault) -> tuple[int, ...]:
    faces = read_list(value, key, " of dice", fault)
    return tuple(read_count(face, f"{key}[{i}]", fault) for i, face in enumerate(faces))


TEXT, COUNT, SWITCH = Kind(read_text), Kind(read_count), Kind(read_switch)
TEXTS, DICE = Kind(read_texts, list), Kind(_read_dice, list)
TRUE = Kind(_read_true, lambda nothing: True)
"""For a step's key whose value is always `true`; it is no field of the dataclass."""


@dataclass(frozen=True, slots=True)
class Record:
    """How a dataclass is read from a JSON object and written as one.

    `table` has for each key the kind of its value, with the field's name if that differs. A field with a default may be
    missing, and isn't written while it has that value. One without a default is read as None if missing, so that its
    kind says what is wrong. The first key names the step and is always written, unless this is a `part` of a step.
    """

    type: type[Any]
    table: Mapping[str, Kind | tuple[str, Kind] | KeyGroup]
    part: bool = False
    keys: tuple[str, ...] = field(init=False)
    needed: tuple[str, ...] = field(init=False)
    """The keys that may not be missing."""
    _rows: tuple[tuple[str, str, Kind | KeyGroup, Any], ...] = field(init=False)
    """Each key with its field, "" for none, its kind, and the field's default, MISSING for none."""

    def __post_init__(self) -> None:
        defaults: dict[str, Any] = {"": MISSING}
        for attribute in fields(self.type):
            made = attribute.default_factory
            defaults[attribute.name] = attribute.default if made is MISSING else made()
        entries: list[tuple[str, str, Kind | KeyGroup, Any]] = []
        for key, entry in self.table.items():
            name, kind = entry if isinstance(entry, tuple) else ("" if entry is TRUE else key, entry)
            entries.append((key, name, kind, defaults[name]))
        keys = [part for key, _, kind, _ in entries for part in (kind.keys if isinstance(kind, KeyGroup) else (key,))]
        named = [row for row in entries if row[1] and isinstance(row[2], Kind)]
        needed = (key for key, _, _, default in named if default is MISSING or (key == keys[0] and not self.part))
        derived = {"keys": tuple(keys), "needed": tuple(needed), "_rows": tuple(entries)}
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def read(self, obj: Json, fault: Fault) -> Any:
        """Read the value from its object, or raise the fault."""
        values = {}
        for key, name, kind, default in self._rows:
            if isinstance(kind, KeyGroup):
                values[name] = kind.read(obj, fault)
            elif key in obj or default is MISSING:
                values[name] = kind.read(obj.get(key), key, fault)
        values.pop("", None)
        return self.type(**values)

    def write(self, value: object) -> Json:
        """Write the value as its object, leaving out fields that have their default."""
        out: Json = {}
        always = "" if self.part else self.keys[0]
        for key, name, kind, default in self._rows:
            part = getattr(value, name) if name else None
            if isinstance(kind, KeyGroup):
                out |= kind.write(part)
            elif key == always or part != default:
                out[key] = kind.write(part)
        return out


class StepCodec(Generic[T]):
    """Reads and writes the steps of a system as JSON objects, each known by its record's first key.

    `missing` is the message for a needed key that is missing, with the fields {key} and {step}; "" leaves it to the
    kinds to complain.
    """

    def __init__(self, *records: Record, missing: str = "") -> None:
        self._by_key = {record.keys[0]: record for record in records}
        self._by_type = {record.type: record for record in records}
        self._missing = missing

    def read(self, obj: object) -> T:
        """Read a step from its JSON object.

        Ignores `sum`, the check value of a line of a saved game. Raises BadStep with a message of one line.
        """
        if not isinstance(obj, dict):
            raise BadStep(f"a step is an object, not {brief(obj)}")
        for step, record in self._by_key.items():
            if step in obj:
                unknown = [name for name in obj if name not in record.keys and name != "sum"]
                if unknown:
                    raise BadStep(f"{unknown[0]}: the {step} step has no such key")
                missing = [key for key in record.needed if obj.get(key, "") == ""] if self._missing else []
                if missing:
                    raise BadStep(self._missing.format(key=missing[0], step=step))
                step_read: T = record.read(obj, BadStep)
                return step_read
        raise BadStep(f"a step has one of the keys {', '.join(self._by_key)}")

    def write(self, step: T) -> Json:
        """Write a step as its JSON object, leaving out fields that have their default."""
        return self._by_type[type(step)].write(step)

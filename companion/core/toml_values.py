"""Values as TOML writes them. The lines of a file, its sections and its comments are for whoever writes the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_value(value: object) -> str:
    """Return a string, number, boolean, list or mapping as TOML writes it.

    A mapping becomes an inline table; a list with mappings takes a line for each item.

    >>> toml_value(("Fox", 2, True))
    '["Fox", 2, true]'
    >>> toml_value({"title": "Old Fox", "Bo Li": 1.5})
    '{ title = "Old Fox", "Bo Li" = 1.5 }'
    """
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_pairs(value))} }}"
    if isinstance(value, list | tuple):
        parts = list(map(toml_value, value))
        if any(isinstance(item, Mapping) for item in value):
            return "[\n  " + ",\n  ".join(parts) + ",\n]"
        return f"[{', '.join(parts)}]"
    # JSON's form of a single value is TOML's as well, but for the one control character that TOML wants escaped
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_lines(values: Mapping[str, object]) -> str:
    """Return the keys and values of a section as lines of TOML.

    >>> print(toml_lines({"moment": "any", "advance:c4": [1.5, 2.0]}), end="")
    moment = "any"
    "advance:c4" = [1.5, 2.0]
    """
    return "".join(f"{pair}\n" for pair in _pairs(values))


def _pairs(values: Mapping[str, object]) -> Iterator[str]:
    for key, value in values.items():
        yield f"{key if BARE_KEY.fullmatch(key) else toml_value(key)} = {toml_value(value)}"

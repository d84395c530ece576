"""What is written as TOML reads back equal, whatever people type."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.toml_values import toml_lines

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
SINGLE = TEXTS | st.booleans() | st.integers(-999, 999) | st.floats(-999, 999).map(lambda n: round(n, 2))
VALUES = st.recursive(
    SINGLE, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(values=st.dictionaries(TEXTS, VALUES, max_size=4))
def test_values_read_back_equal(values: dict[str, object]) -> None:
    assert tomllib.loads(toml_lines(values)) == values


def test_tables_in_a_list_have_a_line_each() -> None:
    rows = [{"action": "sail", "cell": (1, 2)}, {"action": "fly", "cell": (3, 4)}]
    assert toml_lines({"spots": rows}).splitlines() == [
        "spots = [",
        '  { action = "sail", cell = [1, 2] },',
        '  { action = "fly", cell = [3, 4] },',
        "]",
    ]

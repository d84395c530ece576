"""Numbers on the screen: whole percent, and decimals as the language writes them."""

from __future__ import annotations

import re
from pathlib import Path

from companion.core.language import use_language
from engine.words import decimal

ROOM = Path(__file__).parents[3] / "companion"
WRITTEN = re.compile(r":(\.[1-9]\d*f|g)\}")


def test_the_point_of_a_number_is_the_languages_own() -> None:
    assert [decimal(1.5, 2), decimal(10.1), decimal(2.0), decimal(0.075)] == ["1.50", "10.1", "2", "0.075"]
    use_language("pt_BR")
    try:
        assert [decimal(1.5, 2), decimal(10.1), decimal(2.0), decimal(0.075)] == ["1,50", "10,1", "2", "0,075"]
    finally:
        use_language("en")


def test_no_number_reaches_the_screen_another_way() -> None:
    paths = [*(ROOM / "scenes").rglob("*.py"), *(ROOM / "text").rglob("*.py")]
    assert len(paths) > 100
    own = ROOM / "text" / "percent.py"
    text = {path: path.read_text(encoding="utf-8") for path in paths if path != own}
    assert [(path.name, found) for path, told in text.items() for found in WRITTEN.findall(told)] == []

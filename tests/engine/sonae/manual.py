"""What docs/sonae.md shows, for tests that read it."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "sonae.md"


def example() -> str:
    """Return the battle's file that the page shows in full."""
    (found,) = re.findall(r"```toml\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.S)
    return str(found)

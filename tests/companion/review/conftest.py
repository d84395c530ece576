"""What tests of practice and of puzzles share."""

from __future__ import annotations

import pytest

from companion.scenes.learn import practice
from tests.companion.review.judging import Judge


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Have turns that are tried judged at once."""
    found = Judge()
    monkeypatch.setattr(practice, "comparison", found)
    return found

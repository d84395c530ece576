"""An answer from a process of its own: what the work returns or raises, and a process that ends too soon."""

from __future__ import annotations

from functools import partial

import pytest

from companion.thinking.process import answer_elsewhere


def test_what_the_work_returns_is_returned() -> None:
    assert answer_elsewhere(partial(divmod, 7, 2), ValueError) == (3, 1)


@pytest.mark.parametrize(("fault", "told"), [(ValueError, "invalid literal"), (OSError, "cut short")])
def test_a_fault_is_raised_and_a_process_that_ends_too_soon_is_one(fault: type[Exception], told: str) -> None:
    with pytest.raises(fault, match=told):
        answer_elsewhere(partial(int, "x"), fault)

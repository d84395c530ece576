"""The programs that tests may start: Python and the launcher; and one that its test says it can do without."""

import shutil

import pytest


def missing(*names: str) -> str:
    """Return why a test can't run here: which of these programs aren't installed; "" where all are."""
    absent = [name for name in names if shutil.which(name) is None]
    return f"not installed: {', '.join(absent)}" if absent else ""


def needs(*names: str) -> pytest.MarkDecorator:
    """Mark a test, or a module by its `pytestmark`, that is skipped where one of these programs isn't installed."""
    why = missing(*names)
    return pytest.mark.skipif(bool(why), reason=why or f"needs {', '.join(names)}")


def require(*names: str) -> None:
    """Skip the test that asks, mostly in a fixture, where one of these programs isn't installed."""
    if why := missing(*names):
        pytest.skip(why)

"""The tests, and programs beside them that need the same tools: without these, a program says how to get them."""

import sys
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parents[1]


def explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say in one line which package is missing; anything else as Python does. The exit status is 2 then."""
    name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    top = name.partition(".")[0]
    if not top or (ROOT / top).is_dir() or (ROOT / f"{top}.py").exists():
        sys.__excepthook__(kind, error, trace)
        return
    sys.stderr.write(
        f"{top} is missing: `./gunbai test --version` installs the test tools into .venv; use its Python\n"
    )
    raise SystemExit(2)


if sys.argv[:1] == ["-m"]:  # a program of ours, which Python is still looking for
    sys.excepthook = explain

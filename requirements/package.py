"""Gunbai as a package of Python: its rooms lie in this folder, and find one another once it starts.

In the wheel this is `gunbai/__init__.py`; in a tree the launcher does the same.
"""

import sys
from pathlib import Path


def entry() -> int:
    """Run the command line and return its exit status."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from companion.__main__ import run

    return run()

"""`python -m gunbai` is `gunbai`: in the wheel this is `gunbai/__main__.py`."""

import sys
from importlib import import_module

if __name__ == "__main__":
    sys.exit(import_module("gunbai").entry())

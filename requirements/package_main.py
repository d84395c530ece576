"""`python -m gunbai` is `gunbai`: in the wheel this is `gunbai/__main__.py`."""

import sys

from gunbai import entry

sys.exit(entry())

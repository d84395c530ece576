"""What Gunbai takes, holds and gets right: a module for each measurement."""

import tests  # noqa: F401 - says how to get the tools that a benchmark lacks

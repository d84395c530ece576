"""The screen: where blocks go, how they are drawn, and what a finger hits. The only room that imports pygame."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output belongs to the commands

"""The screen: where blocks go, how they are drawn, and what a finger hits. The only room that imports pygame.

Screens come in from the app; pixels, and intents made of fingers, keys and knob, go out. From the bottom: `kit`,
`blocks`, `layers`, `page`, `window`.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output belongs to the commands

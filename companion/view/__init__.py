"""The screen: where blocks go, how they are drawn, and what a finger hits. The only room that imports pygame."""

"""The companion: the touchscreen app and the command line, the only package that knows the rules, the eye and the desk.

Touches, camera readings and button presses come in; screens, lamps, sounds and saved games go out. Start reading at
`cli` (the commands) or at `bootstrap` (the app put together); docs/architecture.md lists the rooms from the top down.
"""

__version__ = "0.2.0"

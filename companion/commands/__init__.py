"""One module a command: NAME, HELP (a line), DESCRIPTION, `arguments(parser)` and `run(options) -> exit status`.

These modules import nothing big on top; `run` does, so that a command pays only for what it uses.
"""

"""Fuzzing: every reader of what comes in is given honest inputs spoiled in many ways, and has to keep its promises.

A *target* (`targets/`) is one reader as the app or a command calls it, with honest inputs made by the project's own
writers. An input is *read*, or *refused* by the room's own exception with one printable line. All else is a failure: to
die by a signal, to take longer or more memory than is promised, another exception, an invariant that doesn't hold.

`spoil.py`, `trees.py`, `packs.py` and `images.py` spoil inputs by a seeded chance: one seed makes the same inputs.
`child.py` is the process in which a target reads many of them; `runner.py` starts it anew wherever it dies, and holds
the input it died of. `.ci/fuzz` runs all of it at length; the suite runs a little of it, and every input that was a bug
once (`kept/`).
"""

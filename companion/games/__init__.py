"""Saved games: the journal on the disk, the session that plays one, the shelf, and the statistics over all of them.

In come `new` requests, steps and files that a stranger may have written; out come positions, summaries and verdicts.
A step is on the disk before its position is shown, and reading never changes a file. What differs between systems of
rules is in `orders`, `sonae` and `generals`, which the others load by name (`companion.systems`).
"""

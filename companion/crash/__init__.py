"""Faults of Gunbai's own: one line, a report to send to the maintainers, and no traceback.

In come exceptions and the game that was being played; out come texts without anybody's names, cards or folders.
"""

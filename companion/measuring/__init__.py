"""Battles of Sonae as the eye measures them (docs/sonae.md).

In come places of markers on the table; out go places of units, what was moved since the record, and the orders that
explain it. It alone translates between `vision.bases` and `engine.sonae`.
"""

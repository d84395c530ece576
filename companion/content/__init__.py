"""What owners bring: boards, decks and battles as files of their own.

In come texts, from a stranger perhaps, or a deck as it is written on the screen; out go boards, decks and battles that
the engine knows, and the faults of files that are none. Each kind is a shelf in the data folder (`own_files`).
"""

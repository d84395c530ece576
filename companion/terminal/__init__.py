"""What the commands read and print: positions, games, rulings, scores and readings, as text and JSON.

Files and standard input come in as the engine's values; the JSON forms that go out are fixed and documented.
"""

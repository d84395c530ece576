"""A saved game to take home: one HTML page that replays it offline (`page`), and an animated GIF of it (`animation`).

Both are drawn by the view, from the same pictures that the log shows (`story` goes through a game for them).
"""

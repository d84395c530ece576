"""Settings in layers: built in, the machine's file, the user's, and what was chosen in the app.

TOML files come in and are checked key by key; a frozen `Settings` goes out. `layers` writes what is chosen in the
app to a file of its own, so that files written by hand keep their comments.
"""

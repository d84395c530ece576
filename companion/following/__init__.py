"""The game at the table for other programs: followed from outside as a stream of events, and handed to an MQTT broker.

In come the saved games' folder and the note of the running app (`companion.games.live_note`), both only read; out come
events, JSON objects. Start at `follower`; docs/following.md describes every event.
"""

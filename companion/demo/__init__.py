"""Games that play themselves, on a simulated table: players for each system, dice, cards, hands and a camera.

A seed comes in; steps, pictures of the table and readings of the real eye go out. Their chance lives here: the engine
has none. Only the bootstrap, the drill and the commands import this room.
"""

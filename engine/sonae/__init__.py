"""Sonae: battles of the Sengoku period with miniatures, after the post "Rules for the Sengoku Jidai: Core Mechanics".

`game` is the front door, as in `engine.orders`; `scenario` reads battles from TOML. In come steps with measured places,
out go rulings and positions. Lengths are in Movements, which are base widths; angles in degrees, clockwise from the
table's far edge.
"""

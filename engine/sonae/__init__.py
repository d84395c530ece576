"""Sonae: battles of the Sengoku period with miniatures, after the post "Rules for the Sengoku Jidai: Core Mechanics".

Lengths are in Movements, which are base widths; angles in degrees, clockwise from the table's far edge.
"""

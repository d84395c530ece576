"""Buttons, lamps and serial devices beside a board, as one desk. It knows no games: its sides are "one" and "two".

Presses and card codes come out as `events`, and `lights` go in; `device` is the interface that every device has. Only
`desk.open_desk` opens devices; importing this package touches no pin and no port.
"""

"""General Orders: one core for every mode; what differs between modes is data.

`game` is the front door: `judge` and `examine` rule on a step at a position, `apply` gives the next position, `owed`
and `legal` say what may follow. Steps come in by name (areas, spaces, cards); inside, areas and units are numbers and
sets of areas are bitmasks. `answers` is what the referee says of it.
"""

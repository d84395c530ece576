"""Words: the catalogue of the language in use, and units, areas, steps and faults as people say them."""

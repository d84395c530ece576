"""All saved games: a list with a summary of each, and the statistics over all of them."""

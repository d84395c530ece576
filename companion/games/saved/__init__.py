"""The saved games together: which there are, each in short, and the statistics over all of them."""

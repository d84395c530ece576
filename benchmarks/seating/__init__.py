"""What games between players share: who sits there, an older Gunbai among them, and the results that are kept."""

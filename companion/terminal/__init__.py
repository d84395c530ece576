"""What the commands read and print: positions, games, rulings, scores and readings, as text and JSON."""

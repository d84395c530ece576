"""Arguments: questions to the rules, rulings with their reasons, and what players settle between them."""

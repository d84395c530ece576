"""What owners bring: boards, decks and battles on shelves of their own, and which board a game starts from."""

"""A turn of General Orders: the forms of its actions, what is owed, what hands do, what the camera proposes."""

"""The commands that install Gunbai as an appliance, keep it up to date, and copy its saved games."""

"""Battles of Sonae in the app."""

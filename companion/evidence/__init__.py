"""Pictures kept beside a game, and bundles: one file with what a bug report needs."""

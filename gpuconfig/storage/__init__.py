"""SQLite: the bundled catalogue, the user overlay, migrations and backups."""

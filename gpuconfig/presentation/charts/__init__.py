"""Charts as data: series, axes, the finding as a title, and the same numbers as a table."""

"""Pages of the window, one folder each."""

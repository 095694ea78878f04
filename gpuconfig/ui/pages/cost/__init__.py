"""Cost of ownership."""

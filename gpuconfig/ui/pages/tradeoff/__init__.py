"""Trade-off chart."""

"""Offers, exchange, tax, total cost of ownership and cloud against buying."""

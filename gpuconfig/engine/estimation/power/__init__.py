"""Electrical power of accelerators and machines while training, and what a power limit costs."""

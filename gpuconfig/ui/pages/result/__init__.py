"""Ranked options."""

"""Detects what this computer has."""

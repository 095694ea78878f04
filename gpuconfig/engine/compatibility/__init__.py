"""Compatibility rules by family; each answers with findings and never passes silently what it could not check."""

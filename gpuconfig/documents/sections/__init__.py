"""The parts papers are composed of."""

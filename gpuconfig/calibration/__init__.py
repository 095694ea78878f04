"""Fitting the coefficients from the shipped measurements, and validating the models against them, source by source."""

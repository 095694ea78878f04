"""Predictions: memory, compute, communication, training, serving, diffusion and power on one quantity graph."""

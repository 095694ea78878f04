"""Compute time of one micro-batch by operation: matrix products, attention, element-wise passes, loss, optimizer."""

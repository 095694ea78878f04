"""Compute time of one micro-batch, operation by operation: matrix products, attention, element-wise passes, loss, optimizer."""

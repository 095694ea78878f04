"""Training: settings a request leaves open, and the graph of memory, compute, communication and power."""

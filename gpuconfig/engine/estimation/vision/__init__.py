"""Vision networks: inference and training speed, memory."""

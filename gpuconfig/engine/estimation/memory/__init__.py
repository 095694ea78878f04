"""Memory of one accelerator in training: states, activations, logits, transients, context, counters."""

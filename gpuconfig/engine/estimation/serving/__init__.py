"""LLM serving: memory, decode, prefill, load and capacity."""

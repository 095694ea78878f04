"""Image and video generation: memory by stage and time by network."""

"""From what a team wants to train or serve to the GPU machine, the reasons and the papers to buy it."""

__version__ = "0.1.0"

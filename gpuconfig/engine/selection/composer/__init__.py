"""The cheapest complete machine for given accelerators that passes every rule."""

"""What can be bought, run and paid: accelerators, parts, models, offers, and the protocol that reads them."""

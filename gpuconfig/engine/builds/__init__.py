"""Complete machines: parts with quantities, slots and lanes, power feeds."""

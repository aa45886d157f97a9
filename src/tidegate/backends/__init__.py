"""What runs a graph. The reference defines meaning; every other backend must agree with it."""

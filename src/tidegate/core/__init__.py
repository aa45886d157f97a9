"""What a graph is. Knows no op by name."""

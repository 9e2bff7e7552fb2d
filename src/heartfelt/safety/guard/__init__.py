"""What a reply may never say, and the gate that keeps it from being heard."""

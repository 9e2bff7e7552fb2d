"""What several senses say together: one reading, where they contradict each other, and both in words."""

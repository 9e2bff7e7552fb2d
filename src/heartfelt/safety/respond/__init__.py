"""What is said to somebody in danger: reviewed words, and services from a dated table. No model writes any of it."""

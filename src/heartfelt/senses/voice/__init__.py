"""The voice: when somebody speaks, which words, and how they sound. All of it streams, and runs on two cores."""

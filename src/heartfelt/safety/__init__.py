"""Safety: danger is noticed before anything is reasoned, and what must not be said never reaches a voice."""

"""Teaching the large embedded model to answer: what it is taught, how, and what it writes then."""

"""How an answer is carried to a person: a face that shows what is meant, and the pictures of it."""

"""The conversation over a network: a server with an API, a live socket, and the web app."""

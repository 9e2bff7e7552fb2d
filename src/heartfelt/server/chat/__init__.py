"""Heartfelt as a chat model behind the API that existing clients speak: OpenAI's chat completions.

request → dialogue → the listener's turn → words, cut where the request says so → completion
"""

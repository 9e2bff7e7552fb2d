"""Training the two small networks of the senses: an expression of a face, and the feeling in a voice.

Nothing here is imported at run time. What the runtime needs stands in the JSON file beside each ONNX file.
"""

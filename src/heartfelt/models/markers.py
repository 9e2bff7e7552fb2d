"""Spellings that chat formats are framed with. Many servers read them as a frame wherever they stand, also in what was said."""

import re

_MARKER = re.compile(
    r"<[|｜][^<>\s]{0,60}>"  # ChatML, Llama 3, Phi, DeepSeek: <|im_start|>, <｜User｜>, <|turn>
    r"|<[^<>|｜\s]{1,60}[|｜]>"  # Gemma 4: <turn|>
    r"|<[a-z]+(?:_[a-z0-9]+)+>"  # Gemma, T5, code models: <start_of_turn>, <extra_id_0>, <file_sep>
    r"|</?(?:s|bos|eos|pad|unk|mask|sop|eop|think|thinking|image|audio|unused\d+)>"
    r"|<0x[0-9a-f]{2}>"
    r"|<</?SYS>>|\[/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_[A-Z]+|THINK|ARGS|IMG[A-Z_]*|g?MASK|CLS|SEP|BOS|EOS)\]",
    re.IGNORECASE,
)


def has_marker(text: str) -> bool:
    return bool(_MARKER.search(text))


def defused(text: str) -> str:
    """The same words with a space in every marker: a person reads them as before, a tokenizer as plain words."""
    return _MARKER.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)

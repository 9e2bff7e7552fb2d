"""The voice: when somebody speaks, which words, and how they sound. All of it streams, and runs on two cores."""

from heartfelt.senses.voice.detect import Detector, LoudnessDetector, Silero
from heartfelt.senses.voice.moonshine import Moonshine
from heartfelt.senses.voice.prosody import Prosody, listen
from heartfelt.senses.voice.samples import RATE, Samples
from heartfelt.senses.voice.segments import Pacing, Segmenter, SpeechFrames
from heartfelt.senses.voice.sense import Emotion, HeardSpeech, VoiceActivity, VoiceSense, VoiceSummary
from heartfelt.senses.voice.transcribe import ScriptedTranscriber, Transcriber, Wordless
from heartfelt.senses.voice.usual import Usual
from heartfelt.senses.voice.whisper import FasterWhisper

__all__ = [
    "RATE",
    "Detector",
    "Emotion",
    "FasterWhisper",
    "HeardSpeech",
    "LoudnessDetector",
    "Moonshine",
    "Pacing",
    "Prosody",
    "Samples",
    "ScriptedTranscriber",
    "Segmenter",
    "Silero",
    "SpeechFrames",
    "Transcriber",
    "Usual",
    "VoiceActivity",
    "VoiceSense",
    "VoiceSummary",
    "Wordless",
    "listen",
]

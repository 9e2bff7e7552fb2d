"""Another language than English is seen, and answered in it."""

import pytest

from heartfelt.agents.language import ANSWERS, COMMON, SCRIPTS, foreign


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Esta noche no puedo dormir, tengo mucho miedo por mi hijo.", "es"),
        ("Je suis très fatiguée et je ne sais pas quoi faire.", "fr"),
        ("Ich habe heute meine Prüfung nicht bestanden und bin traurig.", "de"),
        ("Oggi mio padre mi ha detto che non mi vuole più vedere.", "it"),
        ("Hoje eu estou muito feliz porque o meu irmão voltou para casa.", "pt"),
        ("Ik ben vandaag heel blij want mijn zus is er weer.", "nl"),
        ("أنا حزين جدا اليوم", "ar"),
        ("Мне сегодня очень грустно", "ru"),
        ("今日はとても悲しいです", "ja"),
        ("我今天很难过", "zh"),
        ("오늘 너무 슬퍼요", "ko"),
    ],
)
def test_another_language_is_seen(said: str, language: str):
    assert foreign(said) == language and ANSWERS[language]


@pytest.mark.parametrize(
    "said",
    [
        "hm",
        "😭😭😭",
        "",
        "C'est la vie, I guess.",
        "my abuela died. she called me mi vida every day",
        "They asked for my guest list. I wrote down eleven names.",
        "die hard is on again and my dad is so happy",
    ],
)
def test_english_with_foreign_words_in_it_stays_english(said: str):
    assert foreign(said) == ""


def test_every_language_that_can_be_seen_has_an_answer():
    assert {*COMMON, *SCRIPTS.values()} - {"en"} == set(ANSWERS)

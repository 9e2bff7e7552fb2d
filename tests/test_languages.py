"""Another language than English is seen, and answered in it."""

import pytest

from heartfelt.languages import LATIN, SCRIPTS, danger_reply, language_of, name_of, notes, signs, sorry


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
    assert language_of(said) == language and sorry(language)


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
    assert language_of(said) == ""


def test_every_language_says_what_can_be_had_in_it():
    told = {code: note for code, _own, note in notes()}
    assert {*LATIN, *(code for codes in SCRIPTS.values() for code in codes)} <= told.keys()
    assert not any("{" in note for note in told.values())
    assert all(language_of(note) == code for code, note in told.items())


def test_every_language_that_can_be_seen_has_an_answer():
    assert all(name_of(code) and sorry(code) for code in {*LATIN, *(code for codes in SCRIPTS.values() for code in codes)})


@pytest.mark.parametrize(
    ("said", "language", "tier"),
    [
        ("esta noche lo hago, quiero morir", "es", "imminent"),
        ("Ich will nicht mehr leben.", "de", "active"),
        ("je veux mourir", "fr", "active"),
        ("voglio morire", "it", "active"),
        ("أريد أن أموت", "ar", "active"),
        ("я хочу умереть", "ru", "active"),
        ("死にたい", "ja", "active"),
    ],
)
def test_outright_danger_is_found_in_other_languages(said: str, language: str, tier: str):
    assert language_of(said) == language
    assert [(sign.by, sign.tier, sign.danger) for sign in signs(said, language)] == [("language", tier, "suicide")]
    assert signs("No. " + said, "es") == [] or language == "es"


@pytest.mark.parametrize("said", ["no quiero morir, solo estoy cansado de este trabajo", "me muero de risa con mi hermana"])
def test_what_is_taken_back_or_only_said_so_is_no_danger(said: str):
    assert signs(said, "es") == []


@pytest.mark.parametrize("code", ["es", "de", "hi", "zh", "ar", "uk"])
def test_the_answer_in_danger_names_the_number_and_the_services(code: str):
    assert "{" not in danger_reply(code, "", "")
    told = danger_reply(code, "112", "Line (0800 1)")
    assert "112" in told and "Line (0800 1)" in told


@pytest.mark.parametrize("code", sorted({*LATIN, *(code for codes in SCRIPTS.values() for code in codes)}))
def test_who_goes_on_in_another_language_hears_other_words_and_where_people_understand(code: str):
    told: list[str] = []
    for _ in range(4):
        told.append(sorry(code, told=told))
    assert len(set(told)) == 4
    assert "findahelpline.com" in told[1] and "112" in told[1]
    assert not any("{" in text for text in told)


def test_who_writes_hindi_in_latin_letters_goes_on_hearing_them():
    first = sorry("hi", "main theek hoon")
    again = sorry("hi", "main theek hoon", [first])
    assert again.isascii() and again != first

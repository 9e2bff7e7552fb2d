"""Another language than English: seen by its script or its commonest words, and answered in it with what can be done.

The embedded models know English. A reply in English to somebody who wrote something else has not understood them, whatever it
says; so it says so, kindly, in their own words.
"""

import re
import unicodedata
from collections import Counter

COMMON = {
    "en": "the a i and to of is was my me it in that you for with not have this but he she they are be so what on at just im",
    "es": "el la los las de que y en un una por con no mi me se es está para lo como más pero muy ha hoy yo estoy tengo",
    "fr": "le la les de des et un une je ne pas que qui est dans mon ma me pour sur avec mais très elle il suis ai c'est j'ai",
    "de": "der die das und ich nicht ist ein eine mein meine mir mich zu mit auf für aber sie er es den von war habe bin heute",
    "it": "il lo la gli le di che e un una non mi è per con ma sono ho mio mia come più anche oggi del della io",
    "pt": "o a os as de que e um uma não me é para com mas meu minha muito eu estou tenho por foi hoje ele ela",
    "nl": "de het een en ik niet is van mijn dat die in op met maar ze hij voor was heb ben vandaag wel naar",
}
"""The commonest words of a language: no sentence of some length does without."""
SCRIPTS = {
    "ARABIC": "ar",
    "CYRILLIC": "ru",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "HANGUL": "ko",
    "DEVANAGARI": "hi",
    "GREEK": "el",
    "HEBREW": "he",
    "THAI": "th",
}
ANSWERS = {
    "es": "Gracias por escribirme. Por ahora solo entiendo bien el inglés. ¿Puedes contármelo en inglés?",
    "fr": "Merci de m'écrire. Pour l'instant, je ne comprends bien que l'anglais. Peux-tu me le dire en anglais ?",
    "de": "Danke, dass du mir schreibst. Ich verstehe bisher nur Englisch gut. Magst du es mir auf Englisch sagen?",
    "it": "Grazie di avermi scritto. Per ora capisco bene solo l'inglese. Puoi dirmelo in inglese?",
    "pt": "Obrigado por me escreveres. Por enquanto só entendo bem inglês. Podes contar-me em inglês?",
    "nl": "Dank je dat je me schrijft. Ik versta voorlopig alleen Engels goed. Kun je het me in het Engels vertellen?",
    "ar": "شكرًا لأنك كتبت لي. لا أفهم جيدًا حتى الآن سوى الإنجليزية. هل يمكنك أن تخبرني بالإنجليزية؟",
    "ru": "Спасибо, что вы мне написали. Пока я хорошо понимаю только английский. Можете рассказать по-английски?",
    "ja": "書いてくれてありがとう。今のところ、英語しかよくわかりません。英語で話してもらえますか。",
    "zh": "谢谢你写信给我。目前我只能很好地理解英语。你能用英语告诉我吗？",
    "ko": "이야기해 줘서 고마워요. 아직은 영어만 잘 알아들어요. 영어로 말해 줄 수 있나요?",
    "hi": "मुझे लिखने के लिए धन्यवाद। अभी मैं केवल अंग्रेज़ी ठीक से समझता हूँ। क्या आप इसे अंग्रेज़ी में बता सकते हैं?",
    "el": "Σε ευχαριστώ που μου γράφεις. Προς το παρόν καταλαβαίνω καλά μόνο αγγλικά. Μπορείς να μου το πεις στα αγγλικά;",
    "he": "תודה שכתבת לי. בינתיים אני מבין היטב רק אנגלית. אפשר לספר לי באנגלית?",
    "th": "ขอบคุณที่เขียนมา ตอนนี้ฉันเข้าใจดีเฉพาะภาษาอังกฤษ ช่วยเล่าเป็นภาษาอังกฤษได้ไหม",
}
CLEARLY = 2
"""By how many words another language must be ahead of English."""
SHORT = 3
"""Words up to which nobody can tell by their commonest ones."""

_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_COMMON = {language: frozenset(words.split()) for language, words in COMMON.items()}


def foreign(text: str) -> str:
    """The code of the language where it is clearly not English, else nothing. A foreign word among English ones is English."""
    letters = [letter for letter in text if letter.isalpha()]
    scripts = Counter(unicodedata.name(letter, "").split()[0] for letter in letters)
    script, count = scripts.most_common(1)[0] if scripts else ("LATIN", 0)
    if script in SCRIPTS and count * 2 > len(letters):
        return "ja" if scripts["HIRAGANA"] + scripts["KATAKANA"] else SCRIPTS[script]
    words = _WORDS.findall(text.casefold().replace("’", "'"))
    found = {language: sum(word in common for word in words) for language, common in _COMMON.items()}
    best = max(found, key=lambda language: found[language])
    clear = best != "en" and len(words) > SHORT and found[best] >= found["en"] + CLEARLY
    return best if clear else ""

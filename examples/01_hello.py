"""Answer one sentence. Everything runs on this machine; the small embedded model often answers clumsily."""

from heartfelt import respond

outcome = respond("I failed my exam. I studied for weeks and I still failed it.")

print(outcome.reply)
print(outcome.why_chosen)

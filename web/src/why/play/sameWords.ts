/** Why other steps may lead to the same words, as honestly as it is known. */
import { article } from "../../parts/names";
import { titleOf } from "../../trace/names";
import { made, type Pass } from "../../trace/story";

export function sameWords(before: Pass, now: Pass): string {
  const changed = now.steps.filter(({ record }) => record?.edited).map(({ step, record }) => titleOf(step, record?.output.kind).toLowerCase());
  const what = changed.length ? `You changed ${listed(changed.map((title) => `“${title}”`))}` : "Steps changed";
  return `${what}, and the words that fit best are the same. ${voiceWords(before, now)}`.trim();
}

/** What a voice makes of it, where it makes something else of it. */
function voiceWords(before: Pass, now: Pass): string {
  const [was, is] = [carriedBy(before), carriedBy(now)];
  const a = (tone: string) => `${article(tone)} ${tone}`;
  const changes = [
    is.emotion && is.emotion !== was.emotion && [is.emotion, was.emotion],
    is.tone && is.tone !== was.tone && [`${a(is.tone)} tone`, was.tone && `${a(was.tone)} one`],
  ].filter((change) => !!change);
  return changes.length ? `What changed is how they are said: ${changes.map((change) => change.filter(Boolean).join(" instead of ")).join(", ")}. Hear both.` : "";
}

const carriedBy = (pass: Pass) => ({ emotion: made(pass, "delivery")?.output.emotion, tone: made(pass, "plan")?.output.tone });

const listed = (words: readonly string[]): string => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

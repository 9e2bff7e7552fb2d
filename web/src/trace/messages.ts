/** What the kinds of messages are called; the program names them in a word (`agents/kinds.toml`). */
const MESSAGES: Readonly<Record<string, string>> = {
  bad: "bad news",
  loss: "a loss",
  wrong: "a wrong done",
  worry: "a worry",
  fault: "their own fault",
  nuisance: "a nuisance",
  ironic: "irony",
  mixed: "mixed feelings",
  memory: "a memory",
  good: "good news",
  delight: "small delight",
  chat: "ordinary talk",
  unclear: "unclear so far",
  question: "a question",
  correct: "a correction",
  thanks: "thanks, goodbye",
};

export const messageName = (kind: string): string => (Object.hasOwn(MESSAGES, kind) ? MESSAGES[kind]! : kind);

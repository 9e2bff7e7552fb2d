/** What the kinds of messages are called; the program names them in a word (`agents/kinds.toml`). */
const MESSAGES: Readonly<Record<string, string>> = {
  bad: "bad news or pain",
  loss: "a loss",
  wrong: "a wrong that was done",
  worry: "a worry",
  fault: "a fault of their own",
  nuisance: "a nuisance",
  ironic: "not meant as it is said",
  mixed: "mixed feelings",
  memory: "a memory",
  good: "good news",
  delight: "a small delight",
  chat: "ordinary talk",
  unclear: "too little to tell",
  question: "a question",
  correct: "a correction",
  thanks: "thanks or goodbye",
};

export const messageName = (kind: string): string => (Object.hasOwn(MESSAGES, kind) ? MESSAGES[kind]! : kind);

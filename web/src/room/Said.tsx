import { Marked } from "../parts/Marked";
import { marked, quotesOf } from "../trace/marks";
import type { Output } from "../wire";

/** What the person said; where its reasons are open, with what was noticed in it. */
export function Said({ text, language, outputs }: { text: string; language: string; outputs: readonly Output[] }) {
  return (
    <p className="said" dir="auto" lang={language || undefined}>
      <Marked stretches={marked([text], quotesOf(outputs))[0]!} />
    </p>
  );
}

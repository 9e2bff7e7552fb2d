/** Server-sent events of an answer to a POST, which the browser's own EventSource cannot make. */
import type { FromServer } from "../wire";

export async function* eventsOf(answer: Response): AsyncGenerator<FromServer> {
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const { data, left } = dataOf(rest + (value ?? "") + (done ? "\n\n" : ""));
    rest = left;
    for (const each of data) yield JSON.parse(each) as FromServer;
    if (done) return;
  }
}

/** The data of the whole events in a text, and what is left of one that is not whole. */
export function dataOf(text: string): { data: string[]; left: string } {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const left = blocks.pop() ?? "";
  const data = blocks.map((block) =>
    block
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trimStart())
      .join("\n"),
  );
  return { data: data.filter(Boolean), left };
}

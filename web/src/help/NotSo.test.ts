import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NotSo } from "./NotSo";

type Button = ReactElement<{ onClick: () => void; disabled: boolean; children: string }>;

const buttons = (waits: boolean, say: (text: string) => void = () => undefined): readonly Button[] => NotSo({ say, waits }).props.children;

test("one touch says an ordinary sentence", () => {
  const said: string[] = [];
  for (const button of buttons(false, (text) => said.push(text))) button.props.onClick();
  expect(said).toEqual(["This is not about me, it is about somebody else.", "I didn't mean it like that."]);
  expect(buttons(false).map(({ props }) => props.children)).toEqual(["This is not about me", "That was not meant so"]);
});

test("while an answer is on its way they wait, and otherwise the keyboard reaches them", () => {
  expect(renderToStaticMarkup(NotSo({ say: () => undefined, waits: true })).match(/<button type="button" class="plain" disabled="">/g)).toHaveLength(2);
  expect(renderToStaticMarkup(NotSo({ say: () => undefined, waits: false }))).not.toMatch(/disabled|tabindex/i);
});

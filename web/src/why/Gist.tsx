import { Fragment, type ReactNode } from "react";
import { article } from "../parts/names";
import { titleOf } from "../trace/names";
import { chosen, isByHand, made, type Trace } from "../trace/story";
import type { Forecast, Plan } from "../wire";

/** What can be said otherwise in it. */
export type GistWord = "emotion" | "goal" | "stance" | "tactic" | "tone";

/** All of it in two sentences, as far as it is known by now. */
export function Gist({ trace }: { trace: Trace }) {
  const [forecast, plan] = [made(chosen(trace), "forecast")?.output, made(chosen(trace), "plan")?.output];
  const mended = [...new Set(trace.passes.filter((pass) => pass.number > 0 && !isByHand(pass)).map((pass) => pass.startedFrom))].filter(Boolean);
  if (!forecast && !plan && !mended.length) return null;
  return (
    <p className="gist" dir="auto">
      {forecast && <Heard forecast={forecast} />} {plan && <Meant plan={plan} />}{" "}
      {mended.length > 0 && (
        <>
          On second thought it mended{" "}
          {mended.map((step, index) => (
            <Fragment key={step}>
              {index > 0 && (index === mended.length - 1 ? " and " : ", ")}
              <b>{titleOf(step).toLowerCase()}</b>
            </Fragment>
          ))}
          .
        </>
      )}
    </p>
  );
}

type Word = (word: GistWord, value: string) => ReactNode;
const strong: Word = (_, value) => <b>{value}</b>;

/** What must not stand at the beginning of a line. */
const Unbroken = ({ children }: { children: ReactNode }) => <span className="unbroken">{children}</span>;

export function Heard({ forecast: { emotion, confidence }, word = strong }: { forecast: Pick<Forecast, "emotion" | "confidence">; word?: Word }) {
  const unsure = confidence !== null && confidence < 0.4;
  return (
    <>
      It heard somebody who is{" "}
      <Unbroken>
        {word("emotion", emotion)}
        {unsure ? "," : "."}
      </Unbroken>
      {unsure && " without being sure."}
    </>
  );
}

interface MeantProps {
  readonly plan: Omit<Plan, "kind" | "why">;
  readonly lead?: string;
  readonly word?: Word;
}

export const Meant = ({ plan: { goal, stance, tactic, tone }, lead = "It meant to", word = strong }: MeantProps) => (
  <>
    {lead} <Unbroken>{word("goal", goal)},</Unbroken> as {article(stance)} <Unbroken>{word("stance", stance)},</Unbroken> by <Unbroken>{word("tactic", tactic)},</Unbroken> in {article(tone)} {word("tone", tone)} tone.
  </>
);

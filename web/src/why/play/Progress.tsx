import { useEffect, useState } from "react";
import { queueWords } from "../../state/words";
import { doingOf, titleOf } from "../../trace/names";
import { current, type Step, type Trace } from "../../trace/story";
import type { Waiting } from "../../wire";

const MARKS: Readonly<Record<Step["state"], string>> = { ahead: "○", "under way": "◐", done: "✓", kept: "✓", "left out": "–" };

/** How far it has come, step by step, and for how long. */
export function Progress({ trace, waiting }: { trace: Trace; waiting: Waiting | null }) {
  const pass = trace.passes.at(-1);
  const step = current(trace);
  const doing = waiting ? queueWords(waiting) : step ? doingOf(step.step) : pass?.steps.every(({ state }) => state !== "ahead") ? "looking it over" : "going on from there";
  return (
    <div className="progress">
      <p role="status">
        <span className="pulse" aria-hidden="true" /> {doing}
        <Seconds />
      </p>
      <ol>
        {pass?.steps.filter(({ state }) => state !== "left out").map(({ step: name, state, record }) => (
          <li key={name} data-state={state}>
            <span aria-hidden="true">{MARKS[state]}</span> {titleOf(name, record?.output.kind)}
            {record?.edited ? <span className="tag hand">yours</span> : state === "kept" && <span className="unseen">, kept</span>}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Seconds() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const ticking = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(ticking);
  }, []);
  return seconds > 0 && <span className="soft" aria-hidden="true">{` ${seconds} s`}</span>;
}

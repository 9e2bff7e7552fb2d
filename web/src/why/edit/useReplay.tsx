import { useEffect, useRef, useState, type ReactNode } from "react";
import * as api from "../../api/client";
import { titleOf } from "../../trace/names";
import { chosen, follow, NOTHING, type Pass, type Trace } from "../../trace/story";
import type { StepRecord } from "../../wire";
import type { Column } from "../columns";
import { Comparison } from "../Comparison";
import { Editor } from "./Editor";

interface Replayed {
  readonly begin: (record: StepRecord, pass: Pass) => void;
  readonly view: ReactNode;
}

/** Set a step by hand and see what follows, beside what was. The turn itself stays as it is. */
export function useReplay(session: string, turn: number): Replayed {
  const [at, setAt] = useState<{ record: StepRecord; pass: Pass } | null>(null);
  const [trace, setTrace] = useState<Trace | null>(null);
  const [problem, setProblem] = useState("");
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const forget = () => {
    running.current?.abort();
    setAt(null);
    setTrace(null);
    setProblem("");
  };
  const run = async (edits: readonly string[]) => {
    running.current?.abort();
    const control = (running.current = new AbortController());
    setProblem("");
    let now = NOTHING;
    setTrace(now);
    try {
      for await (const event of api.replay(session, turn, { edits, start: "" }, control.signal)) setTrace((now = follow(now, event)));
    } catch (error) {
      if (!control.signal.aborted) setProblem((error as Error).message);
    }
  };
  const begin = (record: StepRecord, pass: Pass) => {
    forget();
    setAt({ record, pass });
  };
  if (!at) return { begin, view: null };
  const under = trace !== null && !trace.finished && !trace.failed && !problem;
  const view = (
    <section className="replayed" aria-labelledby="why-if">
      <h3 id="why-if" className="part">
        If “{titleOf(at.record.step).toLowerCase()}” had been otherwise
      </h3>
      <Editor key={at.record.step} record={at.record} running={under} run={(edits) => void run(edits)} forget={forget} />
      {(problem || trace?.failed) && (
        <p className="problem" role="alert">
          {problem || trace?.failed?.message}
        </p>
      )}
      <div aria-live="polite">
        {under && <p className="soft">Going on from there.</p>}
        {trace && trace.passes.length > 0 && <Comparison columns={beside(at.pass, trace)} />}
      </div>
    </section>
  );
  return { begin, view };
}

function beside(pass: Pass, trace: Trace): readonly Column[] {
  const now = chosen(trace);
  const was: Column = { title: "As it was", name: "", about: "", pass, crowned: false };
  return now ? [was, { title: "With your change", name: "", about: "", pass: now, crowned: false }] : [was];
}

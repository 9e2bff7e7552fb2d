import { count, duration } from "../parts/names";
import type { Call, Draft } from "../wire";
import { FactList, type Fact } from "./FactList";

/** The requests to the model that stand behind a step, word by word, folded away. */
export function Behind({ calls, ms }: { calls: readonly Call[]; ms: number }) {
  if (!calls.length) return <p className="behind soft">{duration(ms)}, no model asked</p>;
  return (
    <details className="behind">
      <summary>
        Behind this step{" "}
        <span>
          {duration(ms)} · {calls.length} {calls.length === 1 ? "question" : "questions"} to the model
        </span>
      </summary>
      {calls.map((call, index) => (
        <CallBody key={index} call={call} about={`Question ${index + 1} of ${calls.length}`} />
      ))}
    </details>
  );
}

function CallBody({ call, about }: { call: Call; about: string }) {
  const facts: readonly Fact[] = [
    ["model", call.model],
    ["temperature", String(call.temperature)],
    ["seed", String(call.seed)],
    ["prompt tokens", `${count(call.prompt_tokens)}, of these ${count(call.cached_tokens)} cached`],
    ["written tokens", count(call.output_tokens)],
    ["time", duration(call.ms)],
    ["attempts", String(call.attempts)],
    ["prompt file", call.template],
    ["prompt sent", call.prompt],
  ];
  return (
    <div className="call">
      <p className="soft">{about}</p>
      {call.error && (
        <p className="problem" dir="auto">
          <b>Refused:</b> {call.error}
        </p>
      )}
      <FactList facts={facts} />
      <p className="soft">What was sent, after the part that all steps share</p>
      <pre tabIndex={0} dir="auto">
        {call.sent}
      </pre>
      <p className="soft">What came back</p>
      <pre tabIndex={0} dir="auto">
        {call.raw}
      </pre>
      {call.drafts.length > 0 && <Drafts drafts={call.drafts} taken={call.raw} />}
    </div>
  );
}

/** What else could have been said, and why it was not. */
function Drafts({ drafts, taken }: { drafts: readonly Draft[]; taken: string }) {
  const marked = drafts[0]?.mark !== null;
  const shown = marked ? [...drafts].sort((a, b) => (b.mark ?? 0) - (a.mark ?? 0)) : drafts;
  const digits = (number: number | null) => number?.toFixed(2) ?? "";
  return (
    <>
      <p className="soft">
        {marked
          ? "The best mark wins: it is what the model expects a rater to give, from 1 to 5. A plain reply names no fact, so it can get none wrong."
          : "Chosen among these drafts. The more a draft is owed to what was said, the likelier it is beside what it would be had nothing been said."}
      </p>
      <table className="drafts">
        <thead>
          <tr>
            <th scope="col">draft</th>
            <th scope="col">{marked ? "mark" : "likely"}</th>
            <th scope="col">{marked ? "from" : "had nothing been said"}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((draft, index) => (
            <tr key={index} className={draft.text === taken ? "taken" : ""}>
              <td dir="auto">{draft.text}</td>
              <td>{digits(marked ? draft.mark : draft.likely)}</td>
              <td>{marked ? (draft.source === "written" ? "written" : "plain replies") : digits(draft.unheard)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

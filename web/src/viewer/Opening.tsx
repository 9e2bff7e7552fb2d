import { outputsOf } from "../trace/marks";
import { chosen, replyOf, type Trace } from "../trace/story";
import { inDanger, inTries } from "../why/columns";
import { Facts } from "../why/Facts";
import { Failure } from "../why/Failure";
import { Gist } from "../why/Gist";
import { Notices } from "../why/Notices";

/** Characters from which on the reply is written smaller. */
const LONG = 260;

/** The reply, how it came about in two sentences, and what one should know before reading on. */
export function Opening({ trace }: { trace: Trace }) {
  const { finished, failed, screened, guarded } = trace;
  const reply = replyOf(trace) || lastReply(trace);
  return (
    <section className="answer" aria-label="The reply">
      <p className="soft">{finished ? "The reply" : reply ? "The reply so far" : "No reply"}</p>
      <h1 className={reply.length > LONG ? "long" : ""} dir="auto">
        {reply || "No reply was written."}
      </h1>
      {inDanger(trace) && screened && (
        <p className="notice alarm">
          Danger was looked for and found: <b>{[screened.tier, screened.danger].filter(Boolean).join(", ")}</b>. A reviewed reply was given; no model wrote it.
        </p>
      )}
      <Gist trace={trace} />
      {failed && <Failure failed={failed} />}
      {!failed && !finished && (
        <p className="notice alarm" role="status">
          <b>This turn is unfinished.</b> The trace ends in the middle, as if the process was stopped. What was done until then is below.
        </p>
      )}
      {finished && (
        <p className="verdict">
          {inTries(finished.why_chosen)} <span className="soft">It stopped because: {finished.stopped}.</span>
        </p>
      )}
      {trace.answers.filter((each) => each !== finished).map(({ chosen, reply: before }) => (
        <p key={chosen} className="notice" dir="auto">
          <b>Before that it had said:</b> {before}
        </p>
      ))}
      {guarded.map(({ why }, index) => (
        <p key={index} className="notice" dir="auto">
          <b>Changed before anybody heard it.</b> {why}
        </p>
      ))}
      <Notices notices={trace.notices} />
      <Facts trace={trace} />
    </section>
  );
}

function lastReply(trace: Trace): string {
  const made = outputsOf(chosen(trace)).find((output) => output.kind === "reply");
  return made?.text ?? "";
}

import { percent } from "../parts/names";
import { titleOf } from "../trace/names";
import type { Audit } from "../wire";
import { Behind } from "./Behind";

/** Each step judged in order; the earliest fault is to blame. */
export function AuditBody({ audit }: { audit: Audit }) {
  const blamed = audit.verdicts.find((verdict) => !verdict.ok);
  return (
    <>
      <p>{blamed ? `The fault lies in “${titleOf(blamed.step).toLowerCase()}”.` : `All ${audit.verdicts.length} checks passed.`}</p>
      <ul className="verdicts">
        {audit.verdicts.map(({ step, ok, confidence }) => (
          <li key={step} data-ok={ok}>
            <span aria-hidden="true">{ok ? "✓" : "✗"}</span> {titleOf(step)}
            <span className="unseen">{ok ? " holds" : " does not hold"}</span>
            {confidence !== null && <span className="soft"> {percent(confidence)}</span>}
          </li>
        ))}
      </ul>
      {[...new Set(audit.findings.map(({ instruction }) => instruction).filter(Boolean))].map((instruction) => (
        <p key={instruction} className="notice mend" dir="auto">
          To mend: {instruction}
        </p>
      ))}
      <Behind calls={audit.calls} ms={audit.ms} />
    </>
  );
}

import { percent } from "../parts/names";
import { titleOf } from "../trace/names";
import type { Audit } from "../wire";

/** Each step judged in order; the earliest fault is to blame. */
export function AuditBody({ audit }: { audit: Audit }) {
  const blamed = audit.verdicts.find((verdict) => !verdict.ok);
  return (
    <>
      <p>{blamed ? `The fault lies in “${titleOf(blamed.step).toLowerCase()}”.` : `All ${audit.verdicts.length} checks passed.`}</p>
      <ul className="verdicts">
        {audit.verdicts.map(({ step, ok, confidence }) => (
          <li key={step} data-ok={ok}>
            <span>{titleOf(step)}</span>
            <span>
              {ok ? "holds" : "does not hold"}
              {confidence !== null && <span className="soft"> {percent(confidence)}</span>}
            </span>
          </li>
        ))}
      </ul>
      {audit.findings.map((finding, index) => (
        <p key={index} className="finding">
          {finding.problem} {finding.instruction && <span className="soft">To mend: {finding.instruction}</span>}
        </p>
      ))}
    </>
  );
}

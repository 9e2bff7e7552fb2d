import { titleOf } from "../trace/names";
import type { TurnFailed } from "../wire";

/** What failed and where, and what the model last said, where that was the fault. */
export function Failure({ failed: { message, step, error, raw } }: { failed: TurnFailed }) {
  return (
    <div className="problem" role="alert">
      <p dir="auto">
        {step && <b>It failed at “{titleOf(step).toLowerCase()}”. </b>}
        {message} <small>({error})</small>
      </p>
      {raw && (
        <details>
          <summary>The model’s last answer</summary>
          <pre tabIndex={0} dir="auto">
            {raw}
          </pre>
        </details>
      )}
    </div>
  );
}

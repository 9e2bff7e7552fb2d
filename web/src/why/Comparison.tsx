import { titleOf } from "../trace/names";
import type { Pass, Step } from "../trace/story";
import type { StepRecord } from "../wire";
import { AuditBody } from "./AuditBody";
import { rowsOf, type Column } from "./columns";
import { StepBody } from "./StepBody";

interface Props {
  readonly columns: readonly Column[];
  /** To set a step by hand; only of the pass that was chosen. */
  readonly edit?: ((record: StepRecord, pass: Pass) => void) | undefined;
}

/** The steps in order; where there are several passes, beside each other with what changed. */
export function Comparison({ columns, edit }: Props) {
  if (!columns.length) return <p className="soft">It has not begun yet.</p>;
  const best = (columns.find((column) => column.crowned) ?? columns.at(-1)!).pass;
  return (
    <div className="comparison" data-columns={columns.length}>
      {columns.length > 1 && (
        <div className="row heads">
          {columns.map((column) => (
            <div key={column.title} className={column.crowned ? "cell crowned" : "cell"}>
              <p className="column-title">
                {column.title}
                {column.crowned && <span className="tag">chosen</span>}
              </p>
              {column.about && <p className="soft">Told: {column.about}</p>}
            </div>
          ))}
        </div>
      )}
      {rowsOf(columns).map(({ step, cells }) => (
        <div key={step} className="step">
          <header>
            <h4>{titleOf(step)}</h4>
            {edit && <EditButton pass={best} step={step} edit={edit} />}
          </header>
          <div className="row">
            {cells.map((cell, index) => (
              <Cell key={index} cell={cell} label={cells.length > 1 ? columns[index]?.title : undefined} before={index > 0 ? cells[0] : undefined} blamed={columns.length > 1 && isBlamed(columns[index]?.pass, step)} />
            ))}
          </div>
        </div>
      ))}
      {columns.some(({ pass }) => pass.audit) && (
        <div className="step">
          <header>
            <h4>Looked over</h4>
          </header>
          <div className="row">
            {columns.map(({ pass, title }) => (
              <div key={title} className="cell">
                {columns.length > 1 && <p className="cell-label">{title}</p>}
                {pass.audit ? <AuditBody audit={pass.audit} /> : <p className="soft">Not yet.</p>}
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

const isBlamed = (pass: Pass | undefined, step: string): boolean => pass?.audit?.verdicts.find((verdict) => !verdict.ok)?.step === step;

interface CellProps {
  readonly cell: Step;
  /** Whose it is, where columns have become rows. */
  readonly label: string | undefined;
  readonly before: Step | undefined;
  readonly blamed: boolean;
}

function Cell({ cell, label, before, blamed }: CellProps) {
  return (
    <div className={blamed ? "cell blamed" : "cell"} data-state={cell.state}>
      {label && <p className="cell-label">{label}</p>}
      {blamed && <span className="tag bad">at fault</span>}
      {cell.record?.edited && <span className="tag hand">set by you</span>}
      {cell.record ? <StepBody output={cell.record.output} before={before?.record?.output} /> : <Waiting cell={cell} />}
      {cell.record?.findings.map((finding) => (
        <p key={finding.problem} className="finding">
          {finding.problem}
        </p>
      ))}
    </div>
  );
}

function Waiting({ cell }: { cell: Step }) {
  if (cell.written) return <p className="said">{cell.written}</p>;
  if (cell.state === "left out") return <p className="soft">Left out: {cell.why}</p>;
  return <p className="soft">{cell.state === "under way" ? "At it now." : "Still to come."}</p>;
}

function EditButton({ pass, step, edit }: { pass: Pass; step: string; edit: NonNullable<Props["edit"]> }) {
  const record = pass.steps.find((each) => each.step === step)?.record;
  if (!record || record.output.kind === "exemplars") return null;
  return (
    <button type="button" className="plain" onClick={() => edit(record, pass)}>
      Change<span className="unseen"> {titleOf(step)}</span>
    </button>
  );
}

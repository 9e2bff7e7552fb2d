import { duration } from "../parts/names";
import { spent } from "../trace/cost";
import { titleOf } from "../trace/names";
import type { Pass, Step } from "../trace/story";
import type { Output, StepRecord } from "../wire";
import { AuditBody } from "./AuditBody";
import { Behind } from "./Behind";
import { tableOf, type Cell, type Column, type Row } from "./columns";
import { Findings } from "./Findings";
import { StepBody, gistOf, type Grounds } from "./StepBody";
import { Code } from "./Technical";

interface Props extends Grounds {
  readonly columns: readonly Column[];
  /** Whether nothing more will come: what is not there then was not reached. */
  readonly over?: boolean;
  /** The step at which the turn failed, if it did. */
  readonly failedAt?: string | undefined;
  /** To set a step by hand; only of the pass that was chosen. */
  readonly edit?: ((record: StepRecord) => void) | undefined;
}

/** The steps in order. What all passes have in common is said once; where they differ they stand beside each other. */
export function Comparison({ columns, edit, ...rest }: Props) {
  if (!columns.length) return <p className="soft">{rest.over ? "No step was begun." : "It has not begun yet."}</p>;
  const best = (columns.find((column) => column.crowned) ?? columns.at(-1)!).pass;
  const { common, rows } = tableOf(columns);
  const several = columns.length > 1;
  const button = (row: Row) => edit && <EditButton pass={best} row={row} edit={edit} />;
  return (
    <div className="comparison" data-columns={columns.length}>
      {several && common.length > 0 && <p className="soft together">The same in {columns.length === 2 ? "both" : "all"}:</p>}
      <div className="common">
        {common.map((row) => (
          <article key={row.step} className="step" aria-label={row.title}>
            <StepHeader row={row}>{button(row)}</StepHeader>
            <CellBody cell={row.cells[0]!} {...rest} last />
          </article>
        ))}
        {!several && <LookedOver columns={columns} over={rest.over} />}
      </div>
      {several && (
        <div className="passes" role="group" aria-label="The tries beside each other" tabIndex={0} style={{ "--columns": columns.length } as React.CSSProperties}>
          <div className="row heads">
            {columns.map((column) => (
              <Head key={column.title} column={column} />
            ))}
          </div>
          {rows.map((row) => (
            <section key={row.step} className="step" aria-label={row.title}>
              <StepHeader row={row}>{button(row)}</StepHeader>
              <div className="row">
                {row.cells.map((cell, index) => (
                  <CellBody key={index} cell={cell} label={columns[index]?.title} {...rest} last={index === columns.length - 1} />
                ))}
              </div>
            </section>
          ))}
          <LookedOver columns={columns} over={rest.over} />
        </div>
      )}
    </div>
  );
}

function Head({ column: { title, name, about, pass, crowned } }: { column: Column }) {
  const took = spent(pass);
  return (
    <div className={crowned ? "cell crowned" : "cell"}>
      <p className="column-title">
        {title} {name && <Code name={name} />}
        {crowned && <span className="tag crown">chosen</span>}
      </p>
      {name && pass.number > 0 && (
        <p className="soft">
          Again from “{titleOf(pass.startedFrom).toLowerCase()}”{took > 0 && `, ${duration(took)}`}
        </p>
      )}
      {name && pass.number === 0 && took > 0 && <p className="soft">{duration(took)}</p>}
      {about && (
        <p className="soft" dir="auto">
          Told: {about}
        </p>
      )}
    </div>
  );
}

function StepHeader({ row: { step, title }, children }: { row: Row; children: React.ReactNode }) {
  return (
    <header>
      <h4>{title}</h4>
      {title !== step && <Code name={step} />}
      {children}
    </header>
  );
}

function LookedOver({ columns, over = false }: { columns: readonly Column[]; over?: boolean | undefined }) {
  if (!over && !columns.some(({ pass }) => pass.audit)) return null;
  return (
    <section className="step" aria-label="Looked over">
      <header>
        <h4>Looked over</h4>
        <Code name="audit" />
      </header>
      <div className="row">
        {columns.map(({ pass, title }) => (
          <div key={title} className="cell" data-state={pass.audit ? "first" : "gap"} data-audit={pass.audit && (pass.audit.verdicts.every(({ ok }) => ok) ? "clear" : "fault")}>
            {columns.length > 1 && <p className="cell-label">{title}</p>}
            {pass.audit ? <AuditBody audit={pass.audit} /> : <p className="soft">{over ? "Not looked over before it was given." : "Not yet."}</p>}
          </div>
        ))}
      </div>
    </section>
  );
}

interface CellProps extends Grounds {
  readonly cell: Cell;
  /** Whose it is, where columns have become rows. */
  readonly label?: string | undefined;
  readonly over?: boolean;
  readonly failedAt?: string | undefined;
  /** Whether it belongs to the last pass. */
  readonly last: boolean;
}

function CellBody({ cell, label, over = false, failedAt, last, ...grounds }: CellProps) {
  const { step, made, findings } = cell;
  const record = step.record;
  const body = record && <StepBody output={record.output} before={cell.before} {...grounds} />;
  const folded = record && (made === "same" || (made === "kept" && label));
  return (
    <div className={cell.blamed ? "cell blamed" : "cell"} data-state={record ? made : "gap"}>
      {label && <p className="cell-label">{label}</p>}
      <Tags cell={cell} />
      {folded ? (
        <details className="fold">
          <summary dir="auto">{gistOf(record.output)}</summary>
          {body}
        </details>
      ) : (
        (body ?? <Waiting step={step} over={over} failed={last && failedAt === step.step} />)
      )}
      <Findings findings={findings} />
      {record && made !== "kept" && <Behind calls={record.calls} ms={record.ms} />}
    </div>
  );
}

function Tags({ cell: { step, made, keptFrom, blamed } }: { cell: Cell }) {
  const { planted, edited } = step.record ?? {};
  return (
    <p className="tags">
      {made === "kept" && keptFrom && <span className="tag quiet">kept from {keptFrom}</span>}
      {made === "changed" && <span className="tag fresh">changed</span>}
      {made === "same" && <span className="tag quiet">made again, the same</span>}
      {planted ? <span className="tag hand">planted fault</span> : edited && <span className="tag hand">set by hand</span>}
      {blamed && <span className="tag bad">at fault</span>}
    </p>
  );
}

function Waiting({ step, over, failed }: { step: Step; over: boolean; failed: boolean }) {
  if (failed) return <p className="problem">It failed here.</p>;
  if (step.written) return <p className="said">{step.written}</p>;
  if (step.state === "left out") return <p className="soft">Left out{step.why && `: ${step.why}`}.</p>;
  if (over) return <p className="soft">Not reached.</p>;
  return <p className="soft">{step.state === "under way" ? "At it now." : "Still to come."}</p>;
}

/** What nobody can set: nothing comes after the words, and what is remembered was said by others. */
const FIXED: ReadonlySet<Output["kind"]> = new Set(["reply", "exemplars"]);

function EditButton({ pass, row, edit }: { pass: Pass; row: Row; edit: NonNullable<Props["edit"]> }) {
  const record = pass.steps.find((each) => each.step === row.step)?.record;
  if (!record || FIXED.has(record.output.kind)) return null;
  return (
    <button type="button" className="plain" onClick={() => edit(record)}>
      Change<span className="unseen"> {row.title}</span>
    </button>
  );
}

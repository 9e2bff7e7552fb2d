import { useEffect, useId, useRef, useState } from "react";
import { Choice } from "../../parts/Choice";
import { titleOf } from "../../trace/names";
import type { StepRecord } from "../../wire";
import { editsOf, fieldsOf, type Field } from "./fields";

interface Props {
  readonly record: StepRecord;
  readonly running: boolean;
  readonly run: (edits: readonly string[]) => void;
  readonly forget: () => void;
}

/** A step, to be set by hand. */
export function Editor({ record, running, run, forget }: Props) {
  const fields = fieldsOf(record.output);
  const [values, setValues] = useState<Record<string, string>>({});
  const edits = editsOf(record.step, fields, values);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: "nearest" });
    form.current?.querySelector<HTMLElement>("select, input, textarea")?.focus({ preventScroll: true });
  }, []);
  return (
    <form
      ref={form}
      className="editor"
      aria-label={`Change ${titleOf(record.step)}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (edits.length) run(edits);
      }}
    >
      {fields.map((field) => (
        <Setting key={field.path} field={field} value={values[field.path] ?? field.value} set={(value) => setValues({ ...values, [field.path]: value })} />
      ))}
      <div className="editor-do">
        <button type="submit" className="button" disabled={!edits.length || running}>
          See what follows
        </button>
        <button type="button" className="plain" onClick={forget}>
          Leave it as it was
        </button>
      </div>
    </form>
  );
}

function Setting({ field, value, set }: { field: Field; value: string; set: (value: string) => void }) {
  const id = useId();
  if (field.options) {
    const options = field.options.some(([option]) => option === value) ? field.options : [[value, value] as const, ...field.options];
    return <Choice label={field.label} value={value} options={options} change={set} />;
  }
  return (
    <div className="field">
      <label htmlFor={id}>{field.label}</label>
      {field.long ? <textarea id={id} rows={3} value={value} onChange={(event) => set(event.target.value)} /> : <input id={id} value={value} onChange={(event) => set(event.target.value)} />}
    </div>
  );
}

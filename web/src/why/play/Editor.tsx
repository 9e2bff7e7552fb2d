import { useEffect, useId, useRef, useState } from "react";
import { Choice } from "../../parts/Choice";
import { titleOf } from "../../trace/names";
import type { StepRecord } from "../../wire";
import { fieldsOf, wishesOf, type Field, type Wishes } from "./fields";

interface Props {
  readonly record: StepRecord;
  /** Want the step to be so. */
  readonly wish: (wishes: Wishes) => void;
  readonly close: () => void;
}

/** A step, to be set by hand: what is chosen from a list counts at once, what is written once it is done. */
export function Editor({ record, wish, close }: Props) {
  const fields = fieldsOf(record.output);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: "center" });
    form.current?.querySelector<HTMLElement>("select, input, textarea")?.focus({ preventScroll: true });
  }, []);
  const written = fields.some((field) => !field.options);
  const set = (field: Field, value: string) => {
    const now = { ...values, [field.path]: value };
    setValues(now);
    if (field.options) wish(wishesOf(record.step, fields, now));
  };
  return (
    <form
      ref={form}
      className="editor"
      aria-label={`Change ${titleOf(record.step, record.output.kind)}`}
      onSubmit={(event) => {
        event.preventDefault();
        wish(wishesOf(record.step, fields, values));
      }}
    >
      {fields.map((field) => (
        <Setting key={field.path} field={field} value={values[field.path] ?? field.value} set={(value) => set(field, value)} />
      ))}
      <div className="editor-do">
        {written && (
          <button type="submit" className="button">
            See what follows
          </button>
        )}
        <button type="button" className="plain" onClick={close}>
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

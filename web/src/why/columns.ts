/** Passes beside each other: one row a step, one column a pass; a step that all have in common is one wide cell. */
import type { Pass, Step, Trace } from "../trace/story";

export interface Column {
  readonly title: string;
  readonly about: string;
  readonly pass: Pass;
  readonly crowned: boolean;
}

export interface Row {
  readonly step: string;
  /** One for each column, or a single one where nothing differs. */
  readonly cells: readonly Step[];
}

const TRIES = ["First try", "Second try", "Third try", "Fourth try", "Fifth try"];

const tryOf = (number: number): string => TRIES[number] ?? `Try ${number + 1}`;

/** The reason of the choice, in the words of this page: passes are counted from 0, tries from the first. */
export const inTries = (text: string): string => text.replace(/\bPass (\d+)/g, (_, number) => `The ${tryOf(Number(number)).toLowerCase()}`).replace(/\bpass (\d+)/g, (_, number) => `the ${tryOf(Number(number)).toLowerCase()}`);

export function columnsOf(trace: Trace): readonly Column[] {
  return trace.passes.map((made) => (inDanger(trace) ? answered(made) : made)).map((pass) => ({
    title: trace.passes.length === 1 ? "" : tryOf(pass.number),
    about: pass.instruction,
    pass,
    crowned: trace.passes.length > 1 && trace.finished?.chosen === pass.number,
  }));
}

/** A reviewed reply was given, and no other step will come. Older records have no state. */
export const inDanger = ({ screened }: Trace): boolean => !!screened && (!!screened.state || screened.tier === "active" || screened.tier === "imminent");

const answered = (pass: Pass): Pass => ({ ...pass, steps: pass.steps.filter((step) => step.state !== "ahead") });

export function rowsOf(columns: readonly Column[]): readonly Row[] {
  const names = [...new Set(columns.flatMap(({ pass }) => pass.steps.map((step) => step.step)))];
  return names.map((name) => {
    const cells = columns.map(({ pass }) => pass.steps.find((step) => step.step === name) ?? { step: name, state: "ahead" as const });
    const first = cells[0]!;
    const shared = first.record !== undefined && cells.every((cell) => JSON.stringify(cell.record?.output) === JSON.stringify(first.record?.output) && cell.record?.edited === first.record?.edited);
    return { step: name, cells: shared ? [first] : cells };
  });
}

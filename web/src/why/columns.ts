/** Passes beside each other: what all have in common said once, then one row a step and one column a pass. */
import { titleOf, tryOf } from "../trace/names";
import { isByHand, type Pass, type Step, type Trace } from "../trace/story";
import type { Finding, Output } from "../wire";

export interface Column {
  readonly title: string;
  /** What the trace calls it; empty where it is none of its passes. */
  readonly name: string;
  /** What the pass was told. */
  readonly about: string;
  readonly pass: Pass;
  readonly crowned: boolean;
}

/** One step in one pass. */
export interface Cell {
  readonly step: Step;
  /** How it came to be, beside the column before. */
  readonly made: "first" | "kept" | "changed" | "same";
  /** Who made what is kept. */
  readonly keptFrom: string;
  /** What the column before had made, where this one made it again. */
  readonly before: Output | undefined;
  readonly findings: readonly Finding[];
  readonly blamed: boolean;
}

export interface Row {
  readonly step: string;
  readonly title: string;
  /** One for each column. */
  readonly cells: readonly Cell[];
}

export interface Table {
  /** Steps that every column has from the first one. */
  readonly common: readonly Row[];
  readonly rows: readonly Row[];
}

const setByHand = (which: number): string => (which ? `Set by hand (${which + 1})` : "Set by hand");

/** The reason of the choice, in the words of this page. */
export const inTries = (text: string): string => text.replace(/\bPass (\d+)/g, (_, number) => `The ${tryOf(Number(number)).toLowerCase()}`).replace(/\bpass (\d+)/g, (_, number) => `the ${tryOf(Number(number)).toLowerCase()}`);

export function columnsOf(trace: Trace): readonly Column[] {
  const byHand = trace.passes.filter(isByHand);
  return trace.passes.map((made) => (inDanger(trace) ? answered(made) : made)).map((pass, index) => ({
    title: trace.passes.length === 1 ? "" : isByHand(pass) ? setByHand(byHand.indexOf(trace.passes[index]!)) : tryOf(pass.number),
    name: `pass ${pass.number}`,
    about: pass.instruction,
    pass,
    crowned: trace.passes.length > 1 && trace.finished?.chosen === pass.number,
  }));
}

/** A reviewed reply was given, and no other step will come. Older records have no state. */
export const inDanger = ({ screened }: Trace): boolean => !!screened && (!!screened.state || screened.tier === "active" || screened.tier === "imminent");

const answered = (pass: Pass): Pass => ({ ...pass, steps: pass.steps.filter(({ state }) => state !== "ahead" && state !== "left out") });

export function tableOf(columns: readonly Column[]): Table {
  const names = [...new Set(columns.flatMap(({ pass }) => pass.steps.map((step) => step.step)))];
  const rows = names.map((name): Row => {
    const cells = columns.map((_, at) => cellOf(columns, at, name));
    return { step: name, title: titleOf(name, cells.find(({ step }) => step.record)?.step.record?.output.kind), cells };
  });
  const apart = columns.length === 1 ? rows.length : rows.findIndex((row) => !isCommon(row));
  return { common: rows.slice(0, apart < 0 ? rows.length : apart), rows: apart < 0 ? [] : rows.slice(apart) };
}

const isCommon = ({ cells: [first, ...others] }: Row): boolean => !!first?.step.record && others.every((cell) => cell.made === "kept" && cell.step.record?.edited === first.step.record?.edited);

function cellOf(columns: readonly Column[], at: number, name: string): Cell {
  const { audit, steps } = columns[at]!.pass;
  const step = steps.find((each) => each.step === name) ?? { step: name, state: "ahead" as const };
  const before = at > 0 ? columns[at - 1]!.pass.steps.find((each) => each.step === name)?.record?.output : undefined;
  const output = step.record?.output;
  const alike = !before || JSON.stringify(output) === JSON.stringify(before);
  const made = step.state === "kept" && alike ? "kept" : !output || !before ? "first" : alike ? "same" : "changed";
  return {
    step,
    made,
    keptFrom: made === "kept" ? originOf(columns, at, name) : "",
    before: made === "changed" ? before : undefined,
    findings: findingsOf(step, audit?.findings ?? []),
    blamed: audit?.verdicts.find((verdict) => !verdict.ok)?.step === name,
  };
}

/** The column that made a kept step; a replay's first pass keeps what another turn made. */
function originOf(columns: readonly Column[], at: number, name: string): string {
  const maker = columns.slice(0, at).findLast(({ pass }) => pass.steps.some((each) => each.step === name && each.record && each.state !== "kept"));
  return maker?.title.toLowerCase() || "an earlier turn";
}

/** What code found, then what the audit adds; a finding that both hold is shown once. */
function findingsOf(step: Step, judged: readonly Finding[]): readonly Finding[] {
  const all = [...(step.record?.findings ?? []), ...judged.filter((finding) => finding.step === step.step)];
  return all.filter((finding, at) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(finding)) === at);
}

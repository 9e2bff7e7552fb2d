/** Which fields of a step a person can set, how, and the edits that follow from what they set. */
import { messageName } from "../../trace/messages";
import { LABELS, PLAN, STRATEGIES, type Output } from "../../wire";

export interface Field {
  /** Where it stands in the record, such as `cues.0.quote`. */
  readonly path: string;
  readonly label: string;
  readonly value: string;
  /** Where only some values are possible: each with what it is called. */
  readonly options?: readonly (readonly [string, string])[];
  readonly long?: boolean;
}

const same = (options: readonly string[] | undefined) => (options ?? []).map((option) => [option, option] as const);

export function fieldsOf(output: Output): readonly Field[] {
  switch (output.kind) {
    case "evidence":
      return output.cues.flatMap((cue, index) => [
        { path: `cues.${index}.quote`, label: `What stood out (${index + 1})`, value: cue.quote },
        { path: `cues.${index}.meaning`, label: "What it tells", value: cue.meaning },
      ]);
    case "scenario":
      return [{ path: "event", label: "What happened", value: output.event, long: true }];
    case "situation":
      return [{ path: "message", label: "Kind of message", value: output.message, options: same(LABELS.messages).map(([kind]) => [kind, messageName(kind)]) }];
    case "forecast":
      return [{ path: "emotion", label: "Feeling", value: output.emotion, options: same(LABELS[output.labels]) }];
    case "cause":
      return [
        ...output.spans.map((span, index) => ({ path: `spans.${index}`, label: "What set it off", value: span })),
        { path: "category", label: "Kind", value: output.category, options: same(LABELS.trace_causes) },
        { path: "summary", label: "In short", value: output.summary, long: true },
      ];
    case "plan":
      return (["goal", "stance", "tactic", "tone"] as const).map((name) => ({ path: name, label: name[0]!.toUpperCase() + name.slice(1), value: output[name], options: same(PLAN[name]) }));
    case "strategy":
      return [{ path: "choice", label: "Strategy", value: output.choice, options: Object.entries(STRATEGIES) }];
    case "goal":
      return [{ path: "goal", label: "What the answer is for", value: output.goal, long: true }];
    case "delivery":
      return [{ path: "emotion", label: "What voice and face carry", value: output.emotion, options: same(LABELS.ed32) }];
    case "reply":
    case "exemplars":
      return [];
  }
}

/** What a person wants otherwise: values by step and field, such as `forecast.emotion`. */
export type Wishes = Readonly<Record<string, string>>;

/** What is wished, without what is empty or as it was anyway. */
export function wishesOf(step: string, fields: readonly Field[], values: Readonly<Record<string, string>>): Wishes {
  const wished = fields.map(({ path, value }) => [`${step}.${path}`, (values[path] ?? value).trim(), value] as const);
  return Object.fromEntries(wished.filter(([, now, before]) => now && now !== before).map(([target, now]) => [target, now]));
}

export const editsOf = (wishes: Wishes): readonly string[] => Object.entries(wishes).map(([target, value]) => `${target}=${value}`);

import { made, type Made, type Pass } from "../../trace/story";
import { LABELS, PLAN } from "../../wire";
import { Heard, Meant, type GistWord } from "../Gist";
import type { Play } from "./usePlay";
import { WordChoice } from "./WordChoice";

const UNPLANNED = { goal: "", stance: "", tactic: "", tone: "" };
const LABELLED: Readonly<Record<GistWord, string>> = { emotion: "Feeling", goal: "Goal", stance: "Stance", tactic: "Tactic", tone: "Tone" };

/** Whether anything in the sentence can be another word. */
export const isPlayable = (pass: Pass): boolean => !!made(pass, "forecast") || hasPlan(pass);

/** Or could have one, had it not been left out. */
const hasPlan = (pass: Pass): boolean => !!made(pass, "plan") || pass.steps.some(({ step, state }) => step === "plan" && state === "left out");

/** What it heard and what it meant, where each word that matters can be another one. */
export function Sentence({ pass, now, play }: { pass: Pass; now: Pass | undefined; play: Play }) {
  const forecast = made(now, "forecast") ?? made(pass, "forecast");
  const plan = made(now, "plan") ?? made(pass, "plan");
  const word = (record: Made<"forecast"> | Made<"plan"> | undefined, options: Readonly<Record<string, readonly string[] | undefined>>) => (name: GistWord, value: string) => {
    const target = `${record?.step ?? "plan"}.${name}`;
    const { [target]: wished, ...others } = play.wishes;
    return <WordChoice label={LABELLED[name]} value={wished ?? value} options={options[name] ?? []} wished={wished !== undefined} choose={(chosen) => play.wish(chosen && chosen !== asItWas(pass, target) ? { ...others, [target]: chosen } : others)} />;
  };
  return (
    <p className="gist sentence" dir="auto">
      {forecast && <Heard forecast={forecast.output} word={word(forecast, { emotion: LABELS[forecast.output.labels] })} />}{" "}
      {hasPlan(pass) && <Meant plan={plan?.output ?? UNPLANNED} lead={made(pass, "plan") ? "It meant to" : "It went without a plan; suppose it had meant to"} word={word(plan, PLAN)} />}
    </p>
  );
}

function asItWas(pass: Pass, target: string): string | undefined {
  const [step, field] = target.split(".") as [string, string];
  const output = pass.steps.find((each) => each.step === step)?.record?.output;
  return (output as Readonly<Record<string, unknown>> | undefined)?.[field] as string | undefined;
}

import { made, type Pass } from "../../trace/story";
import { LABELS, PLAN } from "../../wire";
import { Heard, Meant, type GistWord } from "../Gist";
import type { Play } from "./usePlay";
import { WordChoice } from "./WordChoice";

const UNPLANNED = { goal: "", stance: "", tactic: "", tone: "" };
const NAMES: Readonly<Record<GistWord, string>> = { emotion: "Feeling", goal: "Goal", stance: "Stance", tactic: "Tactic", tone: "Tone" };

/** Whether anything in the sentence can be another word. */
export const isPlayable = (pass: Pass): boolean => !!made(pass, "forecast") || hasPlan(pass);

/** Or could have one, had it not been left out. */
const hasPlan = (pass: Pass): boolean => !!made(pass, "plan") || pass.steps.some(({ step, state }) => step === "plan" && state === "left out");

/** What it heard and what it meant, where each word that matters can be another one. `now` is what follows from those that are. */
export function Sentence({ pass, now, play }: { pass: Pass; now: Pass | undefined; play: Play }) {
  const forecast = made(now, "forecast") ?? made(pass, "forecast");
  const plan = made(now, "plan") ?? made(pass, "plan");
  const word = (step: string, options: Readonly<Record<string, readonly string[] | undefined>>) => (name: GistWord, value: string) => {
    const target = `${step}.${name}`;
    const { [target]: wished, ...others } = play.wishes;
    const choose = (chosen: string) => play.wish(chosen && chosen !== asItWas(pass, step, name) ? { ...others, [target]: chosen } : others);
    return <WordChoice label={NAMES[name]} value={wished ?? value} options={options[name] ?? []} wished={wished !== undefined} choose={choose} />;
  };
  return (
    <p className="gist sentence" dir="auto">
      {forecast && <Heard forecast={forecast.output} word={word(forecast.step, { emotion: LABELS[forecast.output.labels] })} />}{" "}
      {hasPlan(pass) && <Meant plan={plan?.output ?? UNPLANNED} lead={made(pass, "plan") ? "It meant to" : "It went without a plan; suppose it had meant to"} word={word(plan?.step ?? "plan", PLAN)} />}
    </p>
  );
}

function asItWas(pass: Pass, step: string, name: GistWord): string | undefined {
  const output = pass.steps.find((each) => each.step === step)?.record?.output;
  return output && (output as Partial<Record<GistWord, string>>)[name];
}

import { percent } from "../parts/names";
import type { Alert, Sign } from "../wire";
import { Code } from "./Technical";

const TIERS: Readonly<Record<Alert["tier"], string>> = {
  none: "No sign of danger was found.",
  concern: "Something gives concern, but not enough for an alarm.",
  active: "Somebody may be in danger, so a reviewed answer was given and help by people is shown.",
  imminent: "Somebody may be in danger right now, so a reviewed answer was given and help by people is shown.",
};

/** Where the state says more than the tier. */
const INSTEAD: Readonly<Partial<Record<Alert["state"], string>>> = {
  doubt: "Something gives concern, so one kind, open question was asked.",
  heard: "It was said that there is no danger, and that was taken as the answer.",
};

const ABOUT: Readonly<Record<"self" | "other", (whom: string) => string>> = {
  self: (whom) => `It is thought to be about ${whom || "you"}.`,
  other: (whom) => `It is thought to be about somebody ${whom ? `${whom} speaks` : "you speak"} of.`,
};

const STANDS: Readonly<Partial<Record<Alert["state"], string>>> = {
  opened: "It came up with these words.",
  open: "It came up before, and is still being talked about.",
  checked: "Before it is let go, it was asked about once more.",
  turned: "The talk turned to something else while it was left open, so it was asked about once more.",
};

const ACTS: Readonly<Record<string, string>> = {
  help_coming: "It was said that help is on its way.",
  asks_call: "It was asked whether to call for help.",
  stop: "It was asked to leave this alone.",
  secrecy: "It was asked to keep this secret.",
  hospital: "There is worry about being taken to a hospital.",
  numbers: "It was said that numbers to call are not wanted.",
  wants_service: "It was asked whom one can call.",
  words_for_other: "It was asked what one can say to somebody in danger.",
  coping: "It was asked how to get through this.",
  not_me: "It was said that this is about somebody else.",
  joke: "It was said that it was not meant so.",
  safe: "It was said that there is safety.",
  denied: "The answer was no.",
  confirmed: "The answer was yes.",
};

const DANGERS: Readonly<Record<Sign["danger"], string>> = {
  suicide: "thoughts of suicide",
  "self-harm": "hurting oneself",
  abuse: "abuse",
  violence: "violence",
  medical: "a medical emergency",
  eating: "danger around eating",
  child: "harm to a child",
  despair: "despair",
};

const WHO: Readonly<Record<string, string>> = {
  rules: "A rule about words",
  reader: "The reader of danger",
  guard: "The guard model",
  before: "What was said before",
  answer: "The answer to a question",
  phrases: "The weighing of phrases",
  language: "A rule about words of another language",
  face: "The face",
  voice: "The voice",
};

/** What was looked for before anything else, who noticed what, and who could not look; `whom`: who spoke, if it was not the reader. */
export function Danger({ alert, whom = "" }: { alert: Alert; whom?: string }) {
  const stands = standsOf(alert, whom);
  return (
    <article className="step danger" data-tier={alert.tier} aria-label="Looked for danger">
      <header>
        <h4>Looked for danger</h4>
        <Code name="screen" />
      </header>
      <div className="cell">
        <p>{INSTEAD[alert.state] ?? TIERS[alert.tier]}</p>
        {stands && (
          <p className="soft" dir="auto">
            {stands}
          </p>
        )}
        {alert.signs.length > 0 && (
          <ul className="cues">
            {alert.signs.map((sign, index) => (
              <li key={index}>
                {sign.quote && (
                  <q className="said" dir="auto">
                    {sign.quote}
                  </q>
                )}
                <span className="soft">{noticed(sign)}</span>
              </li>
            ))}
          </ul>
        )}
        {alert.failed.map((failed) => (
          <p key={failed} className="finding">
            Could not look: {whoOf(failed)} <span className="soft">The others decided without it.</span>
          </p>
        ))}
      </div>
    </article>
  );
}

/** Whose danger it is thought to be, where the talk about it stands, and what was last done about it; older records tell nothing of this. */
function standsOf({ who, state, act }: Alert, whom: string): string {
  const about = who && state !== "heard" ? ABOUT[who](whom) : "";
  const did = ACTS[act] ?? (act ? `What was just done with words: ${act.replaceAll("_", " ")}.` : "");
  return [about, STANDS[state], did].filter(Boolean).join(" ");
}

function noticed({ by, tier, danger, why, confidence }: Sign): string {
  const sure = confidence === null ? "" : `, ${percent(confidence)} sure`;
  return `${WHO[by] ?? by}: ${DANGERS[danger]}, ${tier}${sure}${why && ` (${why})`}`;
}

/** «reader: no answer within 8 s», in words. */
function whoOf(failed: string): string {
  const [who = "", ...why] = failed.split(": ");
  return `${(WHO[who] ?? who).toLowerCase()}${why.length ? `, ${why.join(": ")}` : ""}.`;
}

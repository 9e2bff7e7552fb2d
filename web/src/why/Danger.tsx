import { percent } from "../parts/names";
import type { Alert, Sign } from "../wire";

const TIERS: Readonly<Record<Alert["tier"], string>> = {
  none: "No sign of danger was found.",
  concern: "Something gives concern, so one direct question belongs to the answer.",
  active: "Somebody may be in danger, so a reviewed answer was given and help by people is shown.",
  imminent: "Somebody may be in danger right now, so a reviewed answer was given and help by people is shown.",
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
  face: "The face",
  voice: "The voice",
};

/** What was looked for before anything else, who noticed what, and who could not look. */
export function Danger({ alert }: { alert: Alert }) {
  return (
    <div className="step">
      <header>
        <h4>Looked for danger</h4>
      </header>
      <div className="cell">
        <p>{TIERS[alert.tier]}</p>
        {alert.signs.length > 0 && (
          <ul className="cues">
            {alert.signs.map((sign, index) => (
              <li key={index}>
                {sign.quote && <q className="said">{sign.quote}</q>}
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
    </div>
  );
}

function noticed({ by, danger, why, confidence }: Sign): string {
  const sure = confidence === null ? "" : `, ${percent(confidence)} sure`;
  return `${WHO[by] ?? by}: ${DANGERS[danger]}${sure}${why && ` (${why})`}`;
}

/** «reader: no answer within 8 s», in words. */
function whoOf(failed: string): string {
  const [who = "", ...why] = failed.split(": ");
  return `${(WHO[who] ?? who).toLowerCase()}${why.length ? `, ${why.join(": ")}` : ""}.`;
}

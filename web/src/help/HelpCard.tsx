import { useId, useState } from "react";
import { Icon } from "../parts/Icon";
import { day } from "../parts/names";
import type { Room } from "../state/room";
import type { Visit } from "../state/visit";
import { awaited } from "../state/words";
import type { Alarm, Help, ServerOptions } from "../wire";
import { dialsOf } from "./dialling";
import { NotSo } from "./NotSo";
import { Emergency, Lines } from "./Numbers";
import { standing, warmLine, type Standing } from "./standing";
import { useCountry } from "./useCountry";
import { useHelp } from "./useHelp";
import { Where } from "./Where";

interface Props {
  readonly room: Room;
  readonly visit: Visit;
  readonly options: ServerOptions;
}

/** Where people help, for as long as an alarm stands, and the way to say that it should not. It never takes the focus, and talking goes on beside it. */
export function HelpCard({ room, visit, options }: Props) {
  const now = standing(room);
  const country = room.session?.country || options.country;
  return (
    <div className="helping" aria-live="polite">
      {now && (
        <>
          <Card now={now} country={country} visit={visit} options={options} />
          <NotSo say={(text) => visit.say(text)} waits={awaited(room)} />
        </>
      )}
    </div>
  );
}

interface CardProps {
  readonly now: Standing;
  readonly country: string;
  readonly visit: Visit;
  readonly options: ServerOptions;
}

function Card({ now, country, visit, options }: CardProps) {
  const inside = useId();
  const { help, failed } = useHelp(country, now.danger);
  /** Folded away at this tier; what is graver opens it again. */
  const [folded, setFolded] = useState<Standing["tier"] | null>(null);
  const open = folded === null || (folded === "active" && now.tier === "imminent");
  const shown = help ?? sent(now.alarm, country);
  return (
    <section className={open ? "help" : "help folded"} aria-label="Help by people">
      <header>
        <p className="help-warm">{open ? warmLine(now) : "Help by people"}</p>
        {!open && shown && <Short emergency={shown.emergency} />}
        <button type="button" className="round" aria-expanded={open} aria-controls={inside} aria-label={open ? "Fold the help away" : "Show the help"} onClick={() => setFolded(open ? now.tier : null)}>
          <Icon name={open ? "fold" : "unfold"} />
        </button>
      </header>
      <div id={inside} className="help-inside" hidden={!open}>
        {shown && (
          <>
            <Emergency numbers={shown.emergency} />
            <Lines lines={shown.lines} />
          </>
        )}
        {!shown && (!country || failed) && <p>Call your local emergency number, or somebody you trust.</p>}
        <Place country={country} name={placeOf(options, country)} checked={help?.checked ?? ""} visit={visit} options={options} />
        <p className="help-may">You may fold this away at any time.</p>
      </div>
    </section>
  );
}

const Short = ({ emergency }: { emergency: string }) => (
  <>
    {dialsOf(emergency).map(({ href, number }) => (
      <a key={href} className="way" href={href} aria-label={`Call ${number}`}>
        <Icon name="phone" />
        {number}
      </a>
    ))}
  </>
);

interface PlaceProps {
  readonly country: string;
  readonly name: string;
  /** The day on which the table was made. */
  readonly checked: string;
  readonly visit: Visit;
  readonly options: ServerOptions;
}

/** Whose numbers these are and how old; and, where that is not known or not right, the choice. */
function Place({ country, name, checked, visit, options }: PlaceProps) {
  const [choosing, setChoosing] = useState(false);
  const { choose, problem } = useCountry(visit, () => setChoosing(false));
  return (
    <div className="help-place">
      {country && (
        <p>
          For {name}
          {checked && `, as of ${day(checked)}`}.{" "}
          <button type="button" className="plain" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            Somewhere else?
          </button>
        </p>
      )}
      {(!country || choosing) && <Where label={country ? "Where are you?" : "Where are you? Then the right numbers are shown."} options={options} country={country} choose={choose} />}
      {problem && <p className="problem">{problem}</p>}
    </div>
  );
}

/** What came with the turn, as long as it is about the same country. */
const sent = (alarm: Alarm | null, country: string): Pick<Help, "emergency" | "lines"> | null => (alarm?.emergency && alarm.country === country ? { emergency: alarm.emergency, lines: alarm.help } : null);

const placeOf = ({ countries }: ServerOptions, country: string): string => countries.find(({ code }) => code === country)?.name ?? country;

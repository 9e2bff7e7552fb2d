import { Icon } from "../parts/Icon";
import type { HelpLine } from "../wire";
import { dialsOf, type Dial } from "./dialling";

/** The number of the emergency services, large: one tap, and somebody answers. */
export function Emergency({ numbers }: { numbers: string }) {
  const dials = dialsOf(numbers);
  return (
    <ul className={dials.length > 1 ? "emergency several" : "emergency"} aria-label="Emergency services">
      {dials.map(({ number, href, about }) => (
        <li key={href}>
          <a className="emergency-number" href={href}>
            <Icon name="phone" />
            <span>
              <span className="unseen">Call </span>
              <b>{number}</b> <span className="emergency-about">{about || (dials.length === 1 ? "Emergency services" : "")}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Services where people answer, each with how to reach it. */
export function Lines({ lines }: { lines: readonly HelpLine[] }) {
  return (
    <ul className="help-lines">
      {lines.map((line) => (
        <li key={line.name}>
          <div className="help-who">
            <p className="help-name">{line.name}</p>
            <p className="help-how">{[line.how[0]!.toUpperCase() + line.how.slice(1), line.hours, line.free ? "free" : ""].filter(Boolean).join(", ")}</p>
          </div>
          <Ways line={line} />
        </li>
      ))}
    </ul>
  );
}

function Ways({ line }: { line: HelpLine }) {
  const dials = dialsOf(line.how);
  return (
    <p className="ways">
      {dials.map((dial) => (
        <a key={dial.href} className="way" href={dial.href} aria-label={`${spoken(dial)}, ${line.name}`}>
          <Icon name={dial.way === "call" ? "phone" : "text"} />
          {dials.filter(({ way }) => way === dial.way).length > 1 ? dial.number : dial.way === "call" ? "Call" : "Text"}
        </a>
      ))}
    </p>
  );
}

const spoken = ({ way, word, number }: Dial): string => (way === "call" ? `Call ${number}` : `Text ${word && `${word} to `}${number}`);

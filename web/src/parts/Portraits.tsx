import { pictureOf } from "../help/standing";
import type { PersonView } from "../wire";
import { named } from "./names";

interface Props {
  readonly people: readonly PersonView[];
  readonly chosen: string;
  readonly choose: (name: string) => void;
  /** Whoever chooses may be in danger at this moment. */
  readonly grave: boolean;
}

/** Who answers: one of several people who do not exist. */
export function Portraits({ people, chosen, choose, grave }: Props) {
  return (
    <div className="portraits" role="radiogroup" aria-label="Who answers">
      {people.map((person) => (
        <label key={person.name} className="person">
          <input type="radio" name="who" value={person.name} checked={person.name === chosen} onChange={() => choose(person.name)} />
          <img src={pictureOf(person, grave)} alt="" width={160} height={160} />
          <span className="person-name">{named(person.name)}</span>
          <span className="unseen">, {person.about}</span>
        </label>
      ))}
    </div>
  );
}

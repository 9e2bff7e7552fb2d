import type { PersonView } from "../wire";
import { named } from "./names";

interface Props {
  readonly people: readonly PersonView[];
  readonly chosen: string;
  readonly choose: (name: string) => void;
}

/** Who answers: one of several people who do not exist. */
export function Portraits({ people, chosen, choose }: Props) {
  return (
    <div className="portraits" role="radiogroup" aria-label="Who answers">
      {people.map(({ name, about, picture }) => (
        <label key={name} className="person">
          <input type="radio" name="who" value={name} checked={name === chosen} onChange={() => choose(name)} />
          <img src={picture} alt="" width={160} height={160} />
          <span className="person-name">{named(name)}</span>
          <span className="unseen">, {about}</span>
        </label>
      ))}
    </div>
  );
}

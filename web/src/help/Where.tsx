import { Choice } from "../parts/Choice";
import type { ServerOffer } from "../wire";

interface Props {
  readonly label: string;
  readonly offered: ServerOffer;
  /** Empty: not known. */
  readonly country: string;
  readonly choose: (country: string) => void;
}

/** Which country one is in. Nothing is guessed: a wrong number is worse than none. */
export function Where({ label, offered, country, choose }: Props) {
  const known = offered.countries.map(({ code, name }) => [code, onItsOwn(name)] as const);
  const options = offered.country ? known : [["", country ? "I would rather not say" : "Choose a country"] as const, ...known];
  return <Choice label={label} value={country || offered.country} options={options} change={choose} />;
}

/** «the United States», as it stands in a list. */
const onItsOwn = (name: string): string => name.replace(/^the /, "");

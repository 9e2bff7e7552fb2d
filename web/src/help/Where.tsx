import { Choice } from "../parts/Choice";
import type { ServerOptions } from "../wire";

interface Props {
  readonly label: string;
  readonly options: ServerOptions;
  /** Empty: not known. */
  readonly country: string;
  readonly choose: (country: string) => void;
}

/** Which country one is in. Nothing is guessed: a wrong number is worse than none. */
export function Where({ label, options, country, choose }: Props) {
  const known = options.countries.map(({ code, name }) => [code, onItsOwn(name)] as const);
  const choices = options.country ? known : [["", country ? "I would rather not say" : "Choose a country"] as const, ...known];
  return <Choice label={label} value={country || options.country} options={choices} change={choose} />;
}

/** «the United States», as it stands in a list. */
const onItsOwn = (name: string): string => name.replace(/^the /, "");

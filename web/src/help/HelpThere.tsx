import { day } from "../parts/names";
import { Emergency, Lines } from "./Numbers";
import { useHelp } from "./useHelp";

/** All that the dated table knows of a country, for whoever looks it up in peace. */
export function HelpThere({ country, open = false }: { country: string; open?: boolean }) {
  const { help, failed } = useHelp(country);
  if (!country) return <p className="soft">Then no number is shown, only that there are people who help.</p>;
  if (failed) return <p className="problem">The numbers cannot be looked up at this moment.</p>;
  if (!help) return <p className="soft">Looking them up.</p>;
  return (
    <details className="help-there" open={open}>
      <summary>Who helps in {help.name}</summary>
      <Emergency numbers={help.emergency} />
      <Lines lines={help.lines} />
      <p className="soft">As of {day(help.checked)}.</p>
    </details>
  );
}

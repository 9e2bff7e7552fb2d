import { useEffect, useState } from "react";
import * as api from "../api/client";
import type { Alarm, Help } from "../wire";

interface Found {
  readonly of: string;
  readonly help: Help | null;
}

/** What the dated table says of a country; nothing until it is there, and `failed` where it does not come. */
export function useHelp(country: string, danger?: Alarm["danger"]): { help: Help | null; failed: boolean } {
  const wanted = `${country} ${danger ?? ""}`;
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (!country) return;
    let gone = false;
    api.help(country, danger).then(
      (help) => gone || setFound({ of: wanted, help }),
      () => gone || setFound({ of: wanted, help: null }),
    );
    return () => {
      gone = true;
    };
  }, [country, danger, wanted]);
  const current = found?.of === wanted ? found : null;
  return { help: current?.help ?? null, failed: current !== null && current.help === null };
}

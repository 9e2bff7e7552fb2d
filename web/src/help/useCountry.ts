import { useState } from "react";
import { preferences } from "../state/preferences";
import type { Visit } from "../state/visit";

/** Says where one is: for this conversation, and for those to come. */
export function useCountry(visit: Visit, chosen?: () => void): { choose: (country: string) => void; problem: string } {
  const [problem, setProblem] = useState("");
  const choose = (country: string) => {
    setProblem("");
    preferences.dispatch({ country });
    chosen?.();
    visit.change({ country }).catch((error: Error) => setProblem(error.message));
  };
  return { choose, problem };
}

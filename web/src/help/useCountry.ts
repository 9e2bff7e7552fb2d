import { useState } from "react";
import { preferences } from "../state/preferences";
import type { Visit } from "../state/visit";

/** Says where one is: for this conversation, and for those to come. */
export function useCountry(visit: Visit, chosen?: () => void): { choose: (country: string) => void; problem: string } {
  const [problem, setProblem] = useState("");
  const choose = (country: string) => {
    setProblem("");
    visit.change({ country }).then(
      () => {
        preferences.dispatch({ country });
        chosen?.();
      },
      (error: Error) => setProblem(error.message),
    );
  };
  return { choose, problem };
}

import { useId, useState } from "react";
import { comeIn, Refused } from "../api/client";
import { Icon } from "../parts/Icon";
import { ENGLISH } from "../parts/Understood";
import { preferences } from "../state/preferences";

const UNKNOWN = "This token is not known here. Check that all of it is there, or ask whoever gave it to you.";

/** Where a server is shared, it asks who comes in. */
export function Entrance({ entered }: { entered: () => void }) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [field, about, wrong] = [useId(), useId(), useId()];
  const enter = async () => {
    setBusy(true);
    setProblem("");
    try {
      await comeIn(token.trim());
      preferences.dispatch({ entered: true });
      entered();
    } catch (error) {
      setProblem(error instanceof Refused && error.status === 401 ? UNKNOWN : (error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="entrance">
      <p className="brand">
        <Icon name="heart" /> <span>Heartfelt</span>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <h1>Good to see you</h1>
        <p id={about}>Heartfelt is an AI that listens. {ENGLISH} This one is for people who were invited: please enter the access token that you were given.</p>
        <div className="field">
          <label htmlFor={field}>Access token</label>
          <input id={field} type="password" value={token} maxLength={200} autoFocus required autoComplete="current-password" spellCheck={false} aria-describedby={`${about} ${wrong}`} aria-invalid={problem !== ""} onChange={(event) => setToken(event.target.value)} />
        </div>
        <p id={wrong} className="problem" role="alert">
          {problem}
        </p>
        <button type="submit" className="button" disabled={busy || !token.trim()}>
          Come in
        </button>
      </form>
    </main>
  );
}

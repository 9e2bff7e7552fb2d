/** Nothing can be done without the server: say so, and offer to try again. */
export function Unreachable({ problem, again }: { problem: string; again: () => void }) {
  return (
    <main className="unreachable">
      <h1>Nobody is in yet</h1>
      <p role="alert">{problem}</p>
      <button type="button" className="button" onClick={again}>
        Try again
      </button>
    </main>
  );
}

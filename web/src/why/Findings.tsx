import type { Finding } from "../wire";

const BY = { code: "found by a rule", model: "found on looking it over" } as const;

/** What was found wrong, and by whom. */
export function Findings({ findings, mend = false }: { findings: readonly Finding[]; mend?: boolean }) {
  if (!findings.length) return null;
  return (
    <ul className="findings" aria-label="Found wrong">
      {findings.map(({ by, problem, instruction }, index) => (
        <li key={index} className="finding" dir="auto">
          <span className="tag bad">{BY[by]}</span> {problem} {mend && instruction && <span className="soft">To mend: {instruction}</span>}
        </li>
      ))}
    </ul>
  );
}

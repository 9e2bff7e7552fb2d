import { percent } from "../parts/names";

const SHOWN = 5;

/** How likely each is, the likeliest first. */
export function Bars({ shares }: { shares: Record<string, number> }) {
  const first = Object.entries(shares)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .filter(([, share], index) => index === 0 || share >= 0.01);
  return (
    <ul className="bars">
      {first.map(([label, share]) => (
        <li key={label}>
          <span>{label}</span>
          <span className="bar" style={{ "--share": share } as React.CSSProperties} />
          <span>{percent(share)}</span>
        </li>
      ))}
    </ul>
  );
}

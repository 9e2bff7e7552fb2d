import { percent } from "../parts/names";

const SHOWN = 5;

/** How likely each is, the likeliest at the top; `first` is the one that was taken. */
export function Bars({ shares, first }: { shares: Record<string, number>; first: string }) {
  const shown = Object.entries(shares)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN)
    .filter(([, share], index) => index === 0 || share >= 0.01);
  return (
    <ul className="bars">
      {shown.map(([label, share]) => (
        <Bar key={label} label={label} share={share} value={percent(share)} strong={label === first} />
      ))}
    </ul>
  );
}

interface BarProps {
  readonly label: React.ReactNode;
  /** From 0 to 1. */
  readonly share: number;
  readonly value: string;
  readonly strong?: boolean;
  /** Framed: what was meant. */
  readonly meant?: boolean;
}

export function Bar({ label, share, value, strong = false, meant = false }: BarProps) {
  return (
    <li className={[strong && "strong", meant && "meant"].filter(Boolean).join(" ")}>
      <span dir="auto">{label}</span>
      <span className="bar" style={{ "--share": Math.min(Math.max(share, 0), 1) } as React.CSSProperties} />
      <span>{value}</span>
    </li>
  );
}

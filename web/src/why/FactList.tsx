import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** Names and what stands behind them; what is empty is left out. */
export const FactList = ({ facts, className }: { facts: readonly Fact[]; className?: string }) => (
  <dl className={className}>
    {facts.filter(([, value]) => value).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
);

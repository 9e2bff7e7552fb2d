/** How a face looks at somebody who may be in danger: serious and attentive, whatever it does besides, and never with a smile. */

import type { Units } from "./pose";

const LOOK: Units = { browInnerUp: 0.5, mouthFrownLeft: 0.3, mouthFrownRight: 0.3 };
const SMILE = /^(mouthSmile|mouthDimple|cheekSquint)/;

/** The same face; `share`: how far it has become grave. */
export function grave(units: Units, share: number): Units {
  const kept = Object.entries(units).map(([unit, amount]) => [unit, SMILE.test(unit) ? amount * (1 - share) : amount] as const);
  const found: Units = Object.fromEntries(kept);
  for (const [unit, amount] of Object.entries(LOOK)) found[unit] = Math.max(found[unit] ?? 0, amount * share);
  return found;
}

import { useState } from "react";
import type { Stretch } from "../trace/marks";

interface Tip {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

/** A text with what was noticed in it. Pointing at a mark, or reaching it by key, shows what it tells. */
export function Marked({ stretches }: { stretches: readonly Stretch[] }) {
  const [tip, setTip] = useState<Tip | null>(null);
  const hide = () => setTip(null);
  return (
    <>
      {stretches.map(({ text, quotes }, index) => {
        if (!quotes.length) return text;
        const kinds = [...new Set(quotes.map(({ origin }) => origin))].join(" ");
        const meaning = [...new Set(quotes.map((quote) => quote.meaning).filter(Boolean))].join("; ");
        const show = ({ currentTarget }: { currentTarget: HTMLElement }) => {
          const place = currentTarget.getClientRects()[0];
          if (place && meaning) setTip({ text: meaning, left: Math.max(8, Math.min(place.left, innerWidth - 360)), top: place.top - 8 });
        };
        return (
          <mark key={index} className={kinds} tabIndex={0} onMouseEnter={show} onMouseLeave={hide} onFocus={show} onBlur={hide} onKeyDown={(event) => event.key === "Escape" && hide()}>
            {text}
            <span className="unseen"> ({meaning})</span>
          </mark>
        );
      })}
      {tip && (
        <span className="tip" aria-hidden="true" style={{ left: tip.left, top: tip.top }}>
          {tip.text}
        </span>
      )}
    </>
  );
}

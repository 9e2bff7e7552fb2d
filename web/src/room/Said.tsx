import { marked } from "../trace/marks";
import type { Cause, Evidence } from "../wire";

interface Props {
  readonly text: string;
  readonly evidence?: Evidence | undefined;
  readonly cause?: Cause | undefined;
}

/** What the person said; where its reasons are open, with what was noticed in it. */
export function Said({ text, evidence, cause }: Props) {
  const stretches = marked(text, evidence?.cues ?? [], cause?.spans ?? []);
  return (
    <p className="said">
      {stretches.map((stretch, index) => {
        const kinds = [stretch.cues.length > 0 && "cue", stretch.cause && "cause"].filter(Boolean).join(" ");
        if (!kinds) return stretch.text;
        const meaning = [...stretch.cues.map((cue) => cue.meaning), stretch.cause ? "what set it off" : ""].filter(Boolean).join("; ");
        return (
          <mark key={index} className={kinds} title={meaning}>
            {stretch.text}
            <span className="unseen"> ({meaning})</span>
          </mark>
        );
      })}
    </p>
  );
}

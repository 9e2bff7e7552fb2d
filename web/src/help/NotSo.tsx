interface Props {
  readonly say: (text: string) => void;
  /** An answer is on its way. */
  readonly waits: boolean;
}

/** What is on the button, and what is then said. */
const CORRECTIONS = [
  ["This is not about me", "This is not about me, it is about somebody else."],
  ["That was not meant so", "I didn't mean it like that."],
] as const;

/** Whoever was misunderstood says so with one touch; it is an ordinary message of theirs. */
export const NotSo = ({ say, waits }: Props) => (
  <div className="not-so" role="group" aria-label="If this was misunderstood">
    {CORRECTIONS.map(([label, text]) => (
      <button key={label} type="button" className="plain" disabled={waits} onClick={() => say(text)}>
        {label}
      </button>
    ))}
  </div>
);

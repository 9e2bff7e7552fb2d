import { Icon } from "../../parts/Icon";

interface Props {
  readonly label: string;
  /** Empty: nothing was chosen yet. */
  readonly value: string;
  readonly options: readonly string[];
  /** Whether a person chose it. */
  readonly wished: boolean;
  readonly choose: (value: string) => void;
}

/** A word in a sentence that can be another one, from the browser's own list. */
export function WordChoice({ label, value, options, wished, choose }: Props) {
  const all = options.includes(value) ? options : [value, ...options];
  return (
    <span className="word" data-wished={wished} style={{ "--letters": Math.max(value.length, 2) } as React.CSSProperties}>
      <select aria-label={label} value={value} onChange={(event) => choose(event.target.value)}>
        {all.map((each) => (
          <option key={each} value={each}>
            {each || "…"}
          </option>
        ))}
      </select>
      <Icon name="fold" />
    </span>
  );
}

import { useId, type ReactNode } from "react";

interface Props {
  readonly label: string;
  readonly on: boolean;
  readonly change: (on: boolean) => void;
  readonly children?: ReactNode;
  readonly busy?: boolean;
}

/** Something that is on or off, with what it means underneath. */
export function Switch({ label, on, change, children, busy = false }: Props) {
  const about = useId();
  return (
    <div className="switch">
      <label>
        <input type="checkbox" role="switch" checked={on} aria-describedby={about} aria-busy={busy} onChange={(event) => change(event.target.checked)} />
        <span>{label}</span>
      </label>
      <div id={about} className="switch-about">
        {children}
      </div>
    </div>
  );
}

import { useEffect, useRef, type ReactNode } from "react";
import { Icon } from "./Icon";

interface Props {
  readonly title: string;
  readonly close: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A page above the room. The browser keeps the focus inside and closes it with Escape. */
export function Dialog({ title, close, children, className = "" }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="dialog-inside">
        <header>
          <h2 id="dialog-title" tabIndex={-1} autoFocus>
            {title}
          </h2>
          <button type="button" className="round" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

import { useId } from "react";

/** That no human answers: always in sight, with the whole of it as its description and one touch away. */
export function Badge({ disclosure }: { disclosure: string }) {
  const about = useId();
  return (
    <>
      <button type="button" className="badge" aria-describedby={about} popoverTarget={about}>
        AI
      </button>
      <div id={about} className="disclosure" popover="auto">
        {disclosure}
      </div>
    </>
  );
}

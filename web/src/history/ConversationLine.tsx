import { useState } from "react";
import { exportPath } from "../api/client";
import { Switch } from "../parts/Switch";
import { named, when } from "../parts/names";
import { roomPath } from "../state/route";
import type { SessionLine } from "../wire";

interface Props {
  readonly line: SessionLine;
  readonly current: boolean;
  readonly rename: (title: string) => void;
  readonly keep: () => void;
  readonly remove: () => void;
}

/** One conversation: open it, name it, keep it, take it along, or delete it. */
export function ConversationLine({ line, current, rename, keep, remove }: Props) {
  const [doing, setDoing] = useState<"nothing" | "naming" | "exporting" | "deleting">("nothing");
  const title = line.title || `With ${named(line.identity)}`;
  const nothing = () => setDoing("nothing");
  return (
    <li className="line">
      {doing === "naming" ? (
        <Naming
          title={line.title}
          done={(name) => {
            nothing();
            if (name !== line.title) rename(name);
          }}
        />
      ) : (
        <a className="line-title" dir="auto" href={roomPath(line.id)} aria-current={current ? "page" : undefined}>
          {title}
        </a>
      )}
      <p className="line-about">
        {named(line.identity)}, {line.turns === 1 ? "one exchange" : `${line.turns} exchanges`}, {when(line.touched)}
        {!line.kept && ", in memory only"}
        {current && ", open now"}
      </p>
      {doing === "exporting" && <Exporting id={line.id} title={title} done={nothing} />}
      {doing === "deleting" ? (
        <div className="line-sure" role="alertdialog" aria-label={`Delete ${title}`}>
          <p>This removes what was said and answered, what was measured of voice and face, and every reason behind the answers. It cannot be brought back. Files that you exported stay with you.</p>
          <button type="button" className="plain danger" onClick={remove} autoFocus>
            Delete for ever
          </button>
          <button type="button" className="plain" onClick={nothing}>
            Keep it
          </button>
        </div>
      ) : (
        <p className="line-doing">
          {!line.kept && (
            <button type="button" className="plain" onClick={keep}>
              Keep<span className="unseen"> {title} on this machine</span>
            </button>
          )}
          <button type="button" className="plain" onClick={() => setDoing("naming")}>
            Rename<span className="unseen"> {title}</span>
          </button>
          <button type="button" className="plain" aria-expanded={doing === "exporting"} onClick={() => setDoing(doing === "exporting" ? "nothing" : "exporting")}>
            Export<span className="unseen"> {title}</span>
          </button>
          <button type="button" className="plain" onClick={() => setDoing("deleting")}>
            Delete<span className="unseen"> {title}</span>
          </button>
        </p>
      )}
    </li>
  );
}

function Naming({ title, done }: { title: string; done: (title: string) => void }) {
  const [now, setNow] = useState(title);
  return (
    <form
      className="naming"
      onSubmit={(event) => {
        event.preventDefault();
        done(now.trim());
      }}
    >
      <input value={now} dir="auto" maxLength={120} aria-label="Name of the conversation" autoFocus onChange={(event) => setNow(event.target.value)} onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), done(title))} />
      <button type="submit" className="plain">
        Save
      </button>
    </form>
  );
}

/** As a page for people, or all that is stored for programs; names and numbers are left out unless they are wanted. */
function Exporting({ id, title, done }: { id: string; title: string; done: () => void }) {
  const [names, setNames] = useState(false);
  return (
    <div className="line-export" role="group" aria-label={`Export ${title}`}>
      <Switch label="With names and numbers" on={names} change={setNames}>
        {names ? "Everything as it was said. Be careful whom you give it to." : "Names, addresses and numbers are replaced, so that it tells little about who spoke."}
      </Switch>
      <p>
        <a className="plain" href={exportPath(id, "html", names)} download onClick={done}>
          Download to read
        </a>
        <a className="plain" href={exportPath(id, "json", names)} download onClick={done}>
          All data, for programs
        </a>
        <button type="button" className="plain" onClick={done}>
          Not now
        </button>
      </p>
    </div>
  );
}

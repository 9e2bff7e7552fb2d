import { useCallback, useEffect, useState } from "react";
import * as api from "../api/client";
import { Dialog } from "../parts/Dialog";
import { Switch } from "../parts/Switch";
import { preferences } from "../state/preferences";
import { useStore } from "../state/store";
import type { SessionChange, SessionLine } from "../wire";
import { ConversationLine } from "./ConversationLine";

interface Props {
  readonly session: string;
  readonly begin: () => Promise<void>;
  readonly close: () => void;
}

/** All conversations that are kept, the latest first. */
export function Conversations({ session, begin, close }: Props) {
  const [lines, setLines] = useState<readonly SessionLine[] | null>(null);
  const [problem, setProblem] = useState("");
  const { kept } = useStore(preferences);
  const failed = useCallback((error: Error) => setProblem(error.message), []);
  const look = useCallback(() => api.sessions().then(setLines).catch(failed), [failed]);
  useEffect(() => void look(), [look]);

  const change = (id: string, wish: SessionChange) => void api.changeSession(id, wish).then(look, failed);
  const remove = (id: string) => {
    const gone = async () => {
      await api.deleteSession(id);
      if (id !== session) return look();
      preferences.dispatch({ session: "" });
      return begin();
    };
    gone().catch(failed);
  };
  const shown = lines?.filter((line) => line.turns > 0 || line.id === session);
  return (
    <Dialog title="Conversations" close={close} className="conversations">
      <div className="beginning">
        <button type="button" className="button" onClick={() => void begin()}>
          Begin a new one
        </button>
        <Switch label="Keep the new one on this machine" on={kept} change={(on) => preferences.dispatch({ kept: on })}>
          <span className="unseen">So that you can come back to it.</span>
        </Switch>
      </div>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {shown?.length === 0 && <p>Nothing has been said yet.</p>}
      <ul>
        {shown?.map((line) => (
          <ConversationLine key={line.id} line={line} current={line.id === session} rename={(title) => change(line.id, { title })} keep={() => change(line.id, { kept: true })} remove={() => remove(line.id)} />
        ))}
      </ul>
    </Dialog>
  );
}

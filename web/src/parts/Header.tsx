import { pagePath } from "../state/route";
import { preferences } from "../state/preferences";
import { useStore } from "../state/store";
import { isDark } from "../state/theme";
import { Badge } from "./Badge";
import { Icon } from "./Icon";

/** What this is, and the few places one can go to. */
export function Header({ session, disclosure }: { session: string; disclosure: string }) {
  const { theme } = useStore(preferences);
  const dark = isDark(theme);
  return (
    <header className="header">
      <div className="whose">
        <p className="brand">
          <Icon name="heart" /> <span>Heartfelt</span>
        </p>
        <Badge disclosure={disclosure} />
      </div>
      <nav aria-label="Pages">
        <a className="place named" href={pagePath("help", session)}>
          <Icon name="phone" /> <span>Help</span>
        </a>
        <a className="place" href={pagePath("conversations", session)}>
          <Icon name="talks" /> <span>Conversations</span>
        </a>
        <a className="place" href={pagePath("settings", session)}>
          <Icon name="settings" /> <span>Settings</span>
        </a>
        <button type="button" className="place" aria-label={dark ? "Use the light theme" : "Use the dark theme"} onClick={() => preferences.dispatch({ theme: dark ? "light" : "dark" })}>
          <Icon name="theme" />
        </button>
      </nav>
    </header>
  );
}

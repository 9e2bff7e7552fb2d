/** Light, dark, or whatever the system says. */
import type { Preferences } from "./preferences";

const DARK = matchMedia("(prefers-color-scheme: dark)");

export const isDark = (theme: Preferences["theme"]): boolean => theme === "dark" || (theme === "system" && DARK.matches);

/** Put it on, and keep it on when the system changes its mind; returns how to stop. */
export function wear(theme: Preferences["theme"]): () => void {
  const put = () => {
    document.documentElement.dataset.theme = isDark(theme) ? "dark" : "light";
  };
  put();
  DARK.addEventListener("change", put);
  return () => DARK.removeEventListener("change", put);
}

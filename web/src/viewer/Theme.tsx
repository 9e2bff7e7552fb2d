import { useEffect, useLayoutEffect, useState } from "react";
import { Icon } from "../parts/Icon";
import { isDark, wear } from "../state/theme";

const KEY = "heartfelt-theme";

/** A page from a file may be allowed to remember nothing. */
function remembered(): "light" | "dark" | "system" {
  try {
    const known = localStorage.getItem(KEY);
    return known === "light" || known === "dark" ? known : "system";
  } catch {
    return "system";
  }
}

/** Paper is white, whatever the screen is. */
function onPaper(theme: "light" | "dark" | "system"): () => void {
  const dress = (dark: boolean) => () => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  };
  const [before, after] = [dress(false), dress(isDark(theme))];
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  return () => {
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
  };
}

/** Light or dark; as the system has it until somebody chooses. */
export function Theme() {
  const [theme, setTheme] = useState(remembered);
  useLayoutEffect(() => wear(theme), [theme]);
  useEffect(() => onPaper(theme), [theme]);
  const other = isDark(theme) ? "light" : "dark";
  const change = () => {
    setTheme(other);
    try {
      localStorage.setItem(KEY, other);
    } catch {
      // then it holds for as long as the page is open
    }
  };
  return (
    <button type="button" className="round" aria-label={`Use the ${other} theme`} onClick={change}>
      <Icon name="theme" />
    </button>
  );
}

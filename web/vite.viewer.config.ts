/** The page of a trace: one file with its style, its type and its script inside, into which Heartfelt puts the trace. */
import react from "@vitejs/plugin-react";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

const HERE = import.meta.dirname;
const TEMPLATE = "viewer.html";
/** What decides, beside the modules, how the page comes out. */
const ALSO = [TEMPLATE, "vite.viewer.config.ts", "package-lock.json"];

const sha256 = (text: string | Buffer, as: "hex" | "base64") => createHash("sha256").update(text).digest(as);

/** A hash of everything the page was built from, with the names, so that a test can tell whether it is still that. */
function sourcesOf(modules: readonly string[]): string {
  const own = modules.map((id) => relative(HERE, id.split("?")[0]!)).filter((name) => name.startsWith("src/"));
  const files = [...new Set([...own, ...ALSO])].sort();
  const all = files.map((name) => `${name}\n${sha256(readFileSync(resolve(HERE, name)), "hex")}\n`).join("");
  return JSON.stringify({ hash: sha256(all, "hex"), files });
}

/** The end of a script or the beginning of a comment inside a script would be read as such. */
const inScript = (code: string) => code.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

function onePage(): Plugin {
  return {
    name: "one-page",
    enforce: "post",
    generateBundle(_, bundle) {
      const parts = Object.values(bundle);
      const code = parts.flatMap((part) => (part.type === "chunk" ? [part.code] : [])).join("\n");
      const style = parts.flatMap((part) => (part.type === "asset" && part.fileName.endsWith(".css") ? [String(part.source)] : [])).join("\n");
      for (const name of Object.keys(bundle)) delete bundle[name];
      const script = inScript(code);
      const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; font-src data:; script-src 'sha256-${sha256(script, "base64")}'; base-uri 'none'; form-action 'none'`;
      const filled: Record<string, string> = { "%POLICY%": policy, "%STYLE%": style.trim(), "%SCRIPT%": script };
      const page = readFileSync(resolve(HERE, TEMPLATE), "utf-8").replace(/%(POLICY|STYLE|SCRIPT)%/g, (mark) => filled[mark]!);
      this.emitFile({ type: "asset", fileName: TEMPLATE, source: `${page.trim()}\n<!--sources ${sourcesOf([...this.getModuleIds()])}-->\n` });
    },
  };
}

export default defineConfig({
  plugins: [react(), onePage()],
  publicDir: false,
  build: {
    outDir: "../src/heartfelt/page",
    emptyOutDir: false,
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: resolve(HERE, "src/viewer/main.tsx"), output: { format: "iife", entryFileNames: "viewer.js" } },
  },
});

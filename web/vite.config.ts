import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  // Nothing is inlined as a data: address, which a strict content security policy would refuse.
  build: { outDir: "../src/heartfelt/server/web", emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 1200, assetsInlineLimit: 0 },
  // The same origin in development as in service: the cookie and the socket go through.
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});

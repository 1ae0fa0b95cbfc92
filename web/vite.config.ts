import preact from "@preact/preset-vite";
import { defineConfig } from "vite";
import { boot, buildId, withinBudget } from "./bundling/plugin.ts";

export default defineConfig({
  plugins: [preact(), boot(), buildId(), withinBudget()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
  },
});

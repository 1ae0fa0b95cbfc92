/** What the build does beside bundling: names itself, loads the boot script, compresses, and keeps to its budget. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";
import { brotli, compressAll } from "./compress.ts";
import { type Budget, type Built, initialDownload, isWithin, table } from "./sizes.ts";

const BOOT = "boot.js";
const INDEX = "index.html";

/** The script that runs before the first paint: a file of its own, since the content security policy knows no other. */
export function boot(): Plugin {
  let served = `/${BOOT}`;
  return {
    name: "capicua-boot",
    buildStart() {
      if (this.meta.watchMode || this.environment.mode !== "build") return;
      const source = readFileSync(BOOT, "utf8");
      const hash = createHash("sha256").update(source).digest("hex").slice(0, 8);
      served = `/assets/boot-${hash}.js`;
      this.emitFile({ type: "asset", fileName: served.slice(1), source });
    },
    transformIndexHtml: {
      order: "post",
      handler: (): HtmlTagDescriptor[] => [{ tag: "script", attrs: { src: served }, injectTo: "head-prepend" }],
    },
  };
}

/** `<meta name="build">` in the page, and the same in `/client.json`: a page that is left open asks there. */
export function buildId(): Plugin {
  return {
    name: "capicua-build-id",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle[INDEX];
      if (page?.type !== "asset") throw new Error("the build has no page");
      const html = page.source.toString();
      // All other files' hashes are in the page, or in a file whose hash is.
      const build = createHash("sha256").update(html).digest("hex").slice(0, 16);
      page.source = html.replace("<meta charset", `<meta name="build" content="${build}">\n    <meta charset`);
      this.emitFile({ type: "asset", fileName: "client.json", source: JSON.stringify({ build }) });
    },
  };
}

/** Fails the build where the first download is larger than `budget.json` allows. */
export function withinBudget(): Plugin {
  let root = "";
  return {
    name: "capicua-budget",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      root = config.root;
    },
    writeBundle(options, bundle) {
      compressAll(options.dir ?? join(root, "dist"));
      const budget: Budget = JSON.parse(readFileSync(join(root, "budget.json"), "utf8"));
      const files = Object.values(bundle);
      const built = files.map((file) => sized(file, root));
      const entries = files.filter((file) => isEntry(file)).map((file) => file.fileName);
      const initial = initialDownload(built, entries, budget);
      this.info(`\n${table(built, initial)}`);
      if (!isWithin(initial)) this.error("the first download is over its budget, see above");
    },
  };
}

function isEntry(file: Rolldown.OutputAsset | Rolldown.OutputChunk): boolean {
  if (file.type === "chunk") return file.isEntry;
  return file.fileName === INDEX || file.fileName.startsWith("assets/boot-");
}

function sized(file: Rolldown.OutputAsset | Rolldown.OutputChunk, root: string): Built {
  const content = file.type === "chunk" ? Buffer.from(file.code) : Buffer.from(file.source);
  const bytes = brotli(content).byteLength;
  if (file.type === "asset") return { file: file.fileName, bytes, source: null, loads: [] };
  const source = file.facadeModuleId === null ? null : relative(root, file.facadeModuleId);
  return { file: file.fileName, bytes, source, loads: [...file.imports, ...(file.viteMetadata?.importedCss ?? [])] };
}

/** Compresses every text of a build once, as far as it goes: the gateway only chooses. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXTS = new Set([".html", ".js", ".css", ".json", ".svg", ".webmanifest"]);

export function brotli(content: Uint8Array): Uint8Array {
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  });
}

/** Writes `.br` and `.gz` beside each text that gets smaller by it. */
export function compressAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !TEXTS.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path);
    for (const [end, packed] of [
      [".br", brotli(content)],
      [".gz", gzipSync(content, { level: 9 })],
    ] as const) {
      if (packed.byteLength < content.byteLength) writeFileSync(path + end, packed);
    }
  }
}

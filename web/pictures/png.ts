/** Makes a screenshot small: the same picture with a palette where few colours suffice, else packed harder (PNG, W3C). */
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS_MAX = 256;
const TRUE_COLOUR = 2;
const TRUE_COLOUR_WITH_ALPHA = 6;
const PALETTE = 3;
/** Bits of each channel that are kept when there are too many colours: what is lost nobody sees on flat surfaces. */
const BITS_KEPT = [8, 7, 6, 5, 4];

interface Picture {
  width: number;
  height: number;
  /** Three bytes a pixel. */
  pixels: Uint8Array;
}

export function squeezed(png: Uint8Array): Uint8Array {
  const picture = decoded(Buffer.from(png));
  for (const bits of BITS_KEPT) {
    const packed = withPalette(picture, bits);
    if (packed !== null) return packed.byteLength < png.byteLength ? packed : png;
  }
  return png;
}

function withPalette({ width, height, pixels }: Picture, bits: number): Uint8Array | null {
  const mask = (0xff << (8 - bits)) & 0xff;
  const colours = new Map<number, { index: number; colour: number }>();
  const rows = new Uint8Array(height * (width + 1));
  for (let y = 0, at = 0; y < height; y++) {
    const row = y * (width + 1) + 1;
    for (let x = 0; x < width; x++, at += 3) {
      const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
      const key = ((red & mask) << 16) | ((green & mask) << 8) | (blue & mask);
      let found = colours.get(key);
      if (found === undefined) {
        if (colours.size === COLOURS_MAX) return null;
        // The first colour of its kind stands for all: backgrounds come first, and stay as they are.
        found = { index: colours.size, colour: (red << 16) | (green << 8) | blue };
        colours.set(key, found);
      }
      rows[row + x] = found.index;
    }
  }
  const palette = Buffer.alloc(colours.size * 3);
  for (const { index, colour } of colours.values()) palette.writeUIntBE(colour, index * 3, 3);
  return encoded(width, height, palette, rows);
}

function encoded(width: number, height: number, palette: Uint8Array, rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE, 0, 0, 0], 8);
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", palette),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Of a picture as Chromium writes them: eight bits a channel, not interlaced. Alpha is dropped: all is opaque. */
function decoded(png: Buffer): Picture {
  const data: Buffer[] = [];
  let [width, height, kind] = [0, 0, 0];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") [width, height, kind] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] ?? 0];
    if (type === "IDAT") data.push(body);
    at += 12 + length;
  }
  if (kind !== TRUE_COLOUR && kind !== TRUE_COLOUR_WITH_ALPHA) throw new Error(`a picture of kind ${kind}`);
  const channels = kind === TRUE_COLOUR ? 3 : 4;
  const lines = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  if (channels === 3) return { width, height, pixels: lines };
  const pixels = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) pixels.set(lines.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  return { width, height, pixels };
}

function unfiltered(raw: Buffer, stride: number, height: number, step: number): Uint8Array {
  const lines = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? (lines[y * stride + x - step] ?? 0) : 0;
      const up = y > 0 ? (lines[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (lines[(y - 1) * stride + x - step] ?? 0) : 0;
      const byte = raw[y * (stride + 1) + 1 + x] ?? 0;
      lines[y * stride + x] = byte + predicted(filter, left, up, corner);
    }
  }
  return lines;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

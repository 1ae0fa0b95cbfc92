/** What the start page downloads first, in compressed bytes, and whether that is within the budget. */

/** A file of the build: the files that it always loads with it, and the source of which it is made, if it is of one. */
export interface Built {
  readonly file: string;
  readonly bytes: number;
  readonly source: string | null;
  readonly loads: readonly string[];
}

export interface Budget {
  readonly kib: number;
  /** Sources of the pages that come with the first download. */
  readonly pages: readonly string[];
  /** Sources of the first texts, of which a person loads one. */
  readonly languages: readonly string[];
}

export interface Initial {
  readonly files: readonly Built[];
  readonly bytes: number;
  readonly bytesMax: number;
}

/** `entries`: what every page loads, whatever it is. Throws where a source of the budget is not in the build. */
export function initialDownload(built: readonly Built[], entries: readonly string[], budget: Budget): Initial {
  const pages = budget.pages.map((source) => ofSource(built, source).file);
  const downloads = budget.languages.map((source) => {
    const files = withAllThatIsLoaded(built, [...entries, ...pages, ofSource(built, source).file]);
    return { files, bytes: files.reduce((sum, file) => sum + file.bytes, 0), bytesMax: budget.kib * 1024 };
  });
  return downloads.reduce((largest, one) => (one.bytes > largest.bytes ? one : largest));
}

export function isWithin(initial: Initial): boolean {
  return initial.bytes <= initial.bytesMax;
}

/** One line for each file, the ones of the first download marked, the largest first. */
export function table(built: readonly Built[], initial: Initial): string {
  const lines = [...built]
    .sort((one, other) => other.bytes - one.bytes)
    .map((file) => `${initial.files.includes(file) ? "*" : " "} ${kib(file.bytes)}  ${file.file}`);
  const sum = `* ${kib(initial.bytes)}  first download, of ${kib(initial.bytesMax).trim()} at most (KiB, brotli)`;
  return [...lines, sum].join("\n");
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1).padStart(7);
}

function ofSource(built: readonly Built[], source: string): Built {
  const found = built.find((file) => file.source === source);
  if (found === undefined) throw new Error(`${source} is no file of the build, and stands in budget.json`);
  return found;
}

function withAllThatIsLoaded(built: readonly Built[], first: readonly string[]): Built[] {
  const wanted = new Set(first);
  // A set is walked in the order of insertion, what is added meanwhile too.
  for (const name of wanted)
    for (const other of built.find((file) => file.file === name)?.loads ?? []) wanted.add(other);
  return built.filter((file) => wanted.has(file.file));
}

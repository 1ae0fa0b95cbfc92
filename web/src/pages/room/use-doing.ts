/** One thing at a time that the server is asked for: that it is under way, and what became of it in a sentence. */
import { useState } from "preact/hooks";
import { refusalText } from "../../texts/refusal";

export interface Doing {
  /** The name of what is under way. */
  busy: string | null;
  error: string | null;
  /** Does nothing while something is under way. Resolves to whether it was done. */
  run(name: string, work: () => Promise<unknown>): Promise<boolean>;
  forget(): void;
}

export function useDoing(): Doing {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const run = async (name: string, work: () => Promise<unknown>) => {
    if (busy !== null) return false;
    setBusy(name);
    setError(null);
    try {
      await work();
      return true;
    } catch (failed) {
      setError(refusalText(failed));
      return false;
    } finally {
      setBusy(null);
    }
  };
  return { busy, error, run, forget: () => setError(null) };
}

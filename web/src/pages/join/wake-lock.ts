/** Keeps the screen on as long as it shows something that people look at. Browsers take the lock back whenever the page
 * is hidden, so it is asked for again when it is seen. */
import { useEffect, useState } from "preact/hooks";

/** Whether the screen stays on; false where the browser cannot promise it. */
export function useWakeLock(wanted: boolean): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (!wanted || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let gone = false;
    const hold = async () => {
      if (document.visibilityState !== "visible" || (lock !== null && !lock.released)) return;
      try {
        const got = await navigator.wakeLock.request("screen");
        if (gone) return void got.release();
        lock = got;
        setHeld(true);
        got.addEventListener("release", () => setHeld(false));
      } catch {
        setHeld(false); // a battery that is nearly empty, or a browser that does not want to
      }
    };
    void hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      gone = true;
      document.removeEventListener("visibilitychange", hold);
      void lock?.release();
    };
  }, [wanted]);
  return held;
}

/** What a page notes about itself, from its first moment on: installed before its scripts run. */

export interface Noted {
  /** The moment at which the first button of the page's own part could be pressed, in ms since navigation. */
  usable: number | null;
  longTasks: { start: number; end: number }[];
  shift: number;
  /** From an input to the paint that shows what it did, in ms. */
  inputs: number[];
}

declare global {
  interface Window {
    noted: Noted;
  }
}

/** Runs in the page. */
export function observe(): void {
  const noted: Noted = { usable: null, longTasks: [], shift: 0, inputs: [] };
  window.noted = noted;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      noted.longTasks.push({ start: entry.startTime, end: entry.startTime + entry.duration });
    }
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) noted.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name !== "pointermove") noted.inputs.push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  const looking = new MutationObserver(() => {
    if (document.querySelector("main button:not([aria-disabled=true]), main a[href]") === null) return;
    looking.disconnect();
    requestAnimationFrame(() => {
      noted.usable = performance.now();
    });
  });
  looking.observe(document, { childList: true, subtree: true });
}

/** When the page could be used: its first button was there, and no long task that began before kept it from answering. */
export function interactive(noted: Noted): number {
  let moment = noted.usable ?? Number.POSITIVE_INFINITY;
  for (const task of noted.longTasks) if (task.start <= moment) moment = Math.max(moment, task.end);
  return moment;
}

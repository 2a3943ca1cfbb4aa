/** How long to wait, and for what. */
export interface WaitOptions {
  /** What is waited for, as the end of a sentence: `the worker has claimed the job`. */
  reason: string;
  /** Milliseconds until the wait is given up. Default: 5000. */
  deadline?: number;
}

const interval = 5;

/**
 * Waits until a condition holds, and returns what the condition returned. An error that the condition throws ends
 * the wait at once.
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  { reason, deadline = 5000 }: WaitOptions,
): Promise<NonNullable<T>> {
  const end = performance.now() + deadline;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() >= end) {
      throw new Error(`Waited ${deadline} ms in vain until ${reason}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}

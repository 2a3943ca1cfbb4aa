/**
 * Resolves after a time: how long a fault or a handler lasts is part of a scenario. To wait for what a fault causes
 * there is `waitUntil`.
 */
export function lasting(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

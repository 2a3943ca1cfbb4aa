import type { MutatingCall, Reply } from './mutating-call';

/**
 * Reply of `pause` and `resume`.
 *
 * @public
 */
export interface QueueControlReply extends Reply {
  /** `false` when the queue was in that state already; then nothing changed and no event was written. */
  changed: boolean;
}

/**
 * Control of a whole queue.
 *
 * @public
 */
export interface QueueControl {
  /** Stops handing out jobs. What is active goes on, adding goes on. Events: `paused`. */
  pause(call: MutatingCall): Promise<QueueControlReply>;
  /** Hands out jobs again. Events: `resumed`. */
  resume(call: MutatingCall): Promise<QueueControlReply>;
  /** Whether the queue is paused. */
  isPaused(): Promise<boolean>;
}

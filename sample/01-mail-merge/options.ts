/** What one run of the sample is asked to do. */
export interface Options {
  /** The recipients file. */
  file: string;
  /** The template file. */
  template: string;
  /** The folder that receives the messages. */
  out: string;
  /** Messages sent at once. */
  concurrency: number;
  /** Send to everybody again, and overwrite what is in the folder. */
  fresh: boolean;
  /** Decides which attempts fail. */
  seed: string;
  /** Share of the attempts that fail, 0 to 1. */
  failureRate: number;
  /** What the pretended mail server takes for a message, in milliseconds. */
  latency: number;
  /** Where the queue lives: the URL of a backend. */
  backend: string;
}

/** Token under which the options are injected. */
export const OPTIONS = 'mail-merge options';

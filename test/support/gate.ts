import type { Job } from 'nestjs-lane';

/** What handlers wait at until they are let out, one by one or all. */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;
  /** Ids of the jobs that came, in order. */
  readonly started: string[] = [];

  /** Handlers that wait now. */
  get running(): number {
    return this.#waiting.length;
  }

  /** To be awaited by a handler. */
  enter(job: Job): Promise<void> {
    this.started.push(job.id);
    return this.#isOpen ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  letOneOut(): void {
    this.#waiting.shift()?.();
  }

  /** Lets all out, and those that come later through. */
  open(): void {
    this.#isOpen = true;
    this.#waiting.splice(0).forEach((leave) => leave());
  }
}

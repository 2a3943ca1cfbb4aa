import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {import('./measure.mjs').Task} Task
 * @typedef {import('./measure.mjs').Message} Message
 */

/** A process that takes longer than this hangs. */
const TIME_LIMIT = 300_000;

/** One process that measures one library. */
export class Child {
  #process;
  /** @type {Message[]} */
  #messages = [];
  /** @type {Error | undefined} */
  #failure;
  /** @type {(() => void) | undefined} */
  #wake;
  /** Resolves when it is gone. */
  ended;

  /** @param {Task} task */
  constructor(task) {
    this.#process = fork(fileURLToPath(new URL('./measure.mjs', import.meta.url)), [JSON.stringify(task)], {
      execArgv: ['--expose-gc'],
      timeout: TIME_LIMIT,
    });
    this.#process.on('message', (message) => {
      this.#messages.push(/** @type {Message} */ (message));
      this.#wake?.();
    });
    this.ended = new Promise((resolve) => this.#process.on('exit', resolve));
    this.#process.on('error', (error) => this.#fail(error));
    this.#process.on('exit', (code, signal) =>
      this.#fail(
        new Error(
          `${task.scenario} of ${task.queueName} ended with ${signal ?? `exit code ${code}`} too early`,
        ),
      ),
    );
  }

  /**
   * The next thing that it says.
   *
   * @returns {Promise<Message>}
   */
  async next() {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) {
        return message;
      }
      if (this.#failure !== undefined) {
        throw this.#failure;
      }
      await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
  }

  /** Gives it the turn that it asked for. */
  grantTurn() {
    this.#process.send('turn');
  }

  kill() {
    this.#process.kill();
  }

  /** @param {Error} error */
  #fail(error) {
    this.#failure ??= error;
    this.#wake?.();
  }
}

/**
 * @param {Task} task
 * @returns {Promise<Extract<Message, { kind: 'done' }>>}
 */
export async function measure(task) {
  const [result] = await measureInTurns([task]);
  if (result === undefined) {
    throw new Error('Nothing was measured');
  }
  return result;
}

/**
 * Measures several at the same time, of which one works while the others are idle.
 *
 * @param {readonly Task[]} tasks
 * @returns {Promise<Extract<Message, { kind: 'done' }>[]>} In the order of the tasks.
 */
export async function measureInTurns(tasks) {
  /** @type {Child[]} */
  const children = [];
  /** @type {(Extract<Message, { kind: 'done' }> | undefined)[]} */
  const results = [];
  try {
    // One after the other, too: they warm up.
    for (const task of tasks) {
      const child = new Child(task);
      children.push(child);
      results.push(doneOr(await child.next()));
    }
    while (results.includes(undefined)) {
      for (const [index, child] of children.entries()) {
        if (results[index] === undefined) {
          child.grantTurn();
          results[index] = doneOr(await child.next());
        }
      }
    }
    await Promise.all(children.map(({ ended }) => ended));
  } catch (error) {
    children.forEach((child) => child.kill());
    throw error;
  }
  return results.filter((result) => result !== undefined);
}

/** @param {Message} message */
function doneOr(message) {
  return message.kind === 'done' ? message : undefined;
}

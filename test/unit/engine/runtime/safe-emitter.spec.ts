import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { asError, SafeEmitter } from '../../../../lib/engine/runtime/safe-emitter';
import { heapInUse } from '../../../support/heap-in-use';

interface Events {
  completed: [jobId: string, result: number];
  drained: [];
  error: [error: Error];
}

let printed: string[];
let unhandled: unknown[];
const noteUnhandled = (reason: unknown): void => {
  unhandled.push(reason);
};

beforeEach(() => {
  printed = [];
  unhandled = [];
  jest.spyOn(console, 'error').mockImplementation((text: unknown) => {
    printed.push(String(text));
  });
  process.on('unhandledRejection', noteUnhandled);
});

afterEach(async () => {
  await turn();
  process.off('unhandledRejection', noteUnhandled);
  jest.restoreAllMocks();
  if (unhandled.length > 0) {
    throw new Error('A rejection was not handled.', { cause: unhandled[0] });
  }
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function setUp() {
  const emitter = new SafeEmitter<Events>('Worker "email"');
  const errors: Error[] = [];
  return { emitter, errors, noteErrors: () => emitter.on('error', (error) => errors.push(error)) };
}

describe('SafeEmitter', () => {
  it('calls listeners in order, with all arguments and with itself as this', () => {
    const { emitter } = setUp();
    const calls: unknown[] = [];
    emitter
      .on('completed', function (this: unknown, ...args) {
        calls.push(['first', this === emitter, ...args]);
      })
      .once('completed', function (this: unknown, ...args) {
        calls.push(['second', this === emitter, ...args]);
      });
    expect(emitter.emit('completed', 'a', 5)).toBe(true);
    expect(calls).toEqual([
      ['first', true, 'a', 5],
      ['second', true, 'a', 5],
    ]);
  });

  it('says whether there were any listeners', () => {
    const { emitter } = setUp();
    expect(emitter.emit('drained')).toBe(false);
    emitter.on('drained', () => undefined);
    expect(emitter.emit('drained')).toBe(true);
    expect(printed).toEqual([]);
  });

  it('calls a listener of once for one event, even when it causes the next itself', () => {
    const { emitter } = setUp();
    let calls = 0;
    emitter.once('drained', () => {
      calls += 1;
      emitter.emit('drained');
    });
    emitter.emit('drained');
    emitter.emit('drained');
    expect(calls).toBe(1);
  });

  it('takes back listeners of on and of once', () => {
    const { emitter } = setUp();
    const listener = jest.fn();
    emitter.on('drained', listener).off('drained', listener);
    emitter.once('drained', listener).off('drained', listener);
    expect(emitter.emit('drained')).toBe(false);
    expect(listener).not.toHaveBeenCalled();
  });

  it('lets a listener take itself and others back: they miss from the next event on', () => {
    const { emitter } = setUp();
    const calls: string[] = [];
    const second = (): number => calls.push('second');
    const first = (): void => {
      calls.push('first');
      emitter.off('drained', first).off('drained', second);
    };
    const third = (): number => calls.push('third');
    emitter.on('drained', first).on('drained', second).on('drained', third);
    emitter.emit('drained');
    emitter.emit('drained');
    expect(calls).toEqual(['first', 'second', 'third', 'third']);
  });

  it('bears listeners that are added by listeners: they hear from the next event on', () => {
    const { emitter } = setUp();
    let added = 0;
    emitter.on('drained', () => {
      emitter.on('drained', () => (added += 1));
    });
    emitter.emit('drained');
    expect(added).toBe(0);
    emitter.emit('drained');
    expect(added).toBe(1);
  });

  it('takes any number of listeners without a warning', () => {
    expect(setUp().emitter.getMaxListeners()).toBe(0);
  });

  it('works with the tools of Node', async () => {
    const { emitter } = setUp();
    const event = once(emitter, 'completed');
    emitter.emit('completed', 'a', 5);
    expect(await event).toEqual(['a', 5]);
    const broken = once(emitter, 'completed');
    emitter.emit('error', new Error('broken'));
    await expect(broken).rejects.toThrow('broken');
    expect(emitter.listenerCount('error')).toBe(0);
  });

  describe('T-B54 a listener that fails', () => {
    it('becomes an error event when it throws, and the others are called all the same', () => {
      const { emitter, errors, noteErrors } = setUp();
      noteErrors();
      const after = jest.fn();
      const thrown = new Error('broken listener');
      emitter.on('completed', () => {
        throw thrown;
      });
      emitter.on('completed', after);
      expect(emitter.emit('completed', 'a', 1)).toBe(true);
      expect(errors).toEqual([thrown]);
      expect(after).toHaveBeenCalledTimes(1);
      expect(printed).toEqual([]);
    });

    it('becomes an error event that holds an error, whatever it throws', async () => {
      const { emitter, errors, noteErrors } = setUp();
      noteErrors();
      emitter.on('drained', () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- listeners may
        throw 'a text';
      });
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- listeners may
      emitter.on('drained', () => Promise.reject(undefined));
      emitter.emit('drained');
      await turn();
      expect(errors.map((error) => [error instanceof Error, error.message])).toEqual([
        [true, 'a text'],
        [true, 'A value that is not an error was thrown: undefined'],
      ]);
    });

    it('becomes an error event when it rejects', async () => {
      const { emitter, errors, noteErrors } = setUp();
      noteErrors();
      const thrown = new Error('broken listener');
      emitter.on('completed', async () => {
        await turn();
        throw thrown;
      });
      emitter.once('completed', () => Promise.reject(thrown));
      emitter.emit('completed', 'a', 1);
      await turn();
      await turn();
      expect(errors).toEqual([thrown, thrown]);
    });

    it('becomes an error event when what it returns only looks like a promise', () => {
      const { emitter, errors, noteErrors } = setUp();
      noteErrors();
      emitter.on('drained', () => ({
        then(_: unknown, reject: (error: Error) => void) {
          reject(new Error('rejected'));
        },
      }));
      emitter.on('drained', () => ({
        then() {
          throw new Error('thrown by then');
        },
      }));
      emitter.on('drained', () => ({
        get then() {
          throw new Error('thrown by a getter');
        },
      }));
      emitter.emit('drained');
      expect(errors.map(({ message }) => message)).toEqual([
        'rejected',
        'thrown by then',
        'thrown by a getter',
      ]);
    });

    it.each([undefined, null, 0, 'text', { then: 5 }, [], () => undefined])('may return %p', (returned) => {
      const { emitter, errors, noteErrors } = setUp();
      noteErrors();
      emitter.on('drained', () => returned);
      emitter.emit('drained');
      expect(errors).toEqual([]);
    });

    it('is written to the console, with its owner, when nobody listens to errors', async () => {
      const { emitter } = setUp();
      emitter.on('drained', () => {
        throw new Error('broken listener');
      });
      emitter.on('drained', async () => {
        throw new Error('broken later');
      });
      emitter.emit('drained');
      await turn();
      expect(printed).toHaveLength(2);
      expect(printed[0]).toMatch(/^Worker "email": Error: broken listener\n\s+at /);
      expect(printed[1]).toMatch(/^Worker "email": Error: broken later\n\s+at /);
    });

    it('is written to the console when it listens to errors itself, and is not asked again', async () => {
      const { emitter } = setUp();
      let calls = 0;
      emitter.on('error', () => {
        calls += 1;
        throw new Error('broken error listener');
      });
      emitter.on('error', async () => {
        calls += 1;
        throw new Error('broken async error listener');
      });
      emitter.on('drained', () => {
        throw new Error('first');
      });
      emitter.emit('drained');
      await turn();
      expect(calls).toBe(2);
      expect(printed.map((text) => text.split('\n')[0])).toEqual([
        'Worker "email": Error: broken error listener',
        'Worker "email": Error: broken async error listener',
      ]);
    });

    it('does no harm ten thousand times, and leaves nothing behind', async () => {
      const { emitter } = setUp();
      let errors = 0;
      let calls = 0;
      emitter.on('error', () => (errors += 1));
      emitter.on('completed', () => {
        throw new Error('sync');
      });
      emitter.on('completed', async () => {
        throw new Error('async');
      });
      emitter.on('completed', () => (calls += 1));
      const round = async (events: number): Promise<void> => {
        for (let event = 0; event < events; event += 1) {
          emitter.emit('completed', 'a', event);
          if (event % 100 === 0) {
            await turn();
          }
        }
        await turn();
      };
      await round(10_000);
      expect({ calls, errors }).toEqual({ calls: 10_000, errors: 20_000 });
      const heapBefore = heapInUse();
      await round(10_000);
      // An event that is kept, with its errors, takes hundreds of bytes.
      expect((heapInUse() - heapBefore) / 10_000).toBeLessThan(50);
      expect(emitter.eventNames().map((name) => [name, emitter.listenerCount(name as string)])).toEqual([
        ['error', 1],
        ['completed', 3],
      ]);
    }, 30_000);
  });

  describe('an error event', () => {
    it('reaches its listeners and is not printed', () => {
      const { emitter, errors, noteErrors } = setUp();
      noteErrors();
      const error = new Error('lost');
      expect(emitter.emit('error', error)).toBe(true);
      expect([errors, printed]).toEqual([[error], []]);
    });

    it('is printed, not thrown, when nobody listens', () => {
      const { emitter } = setUp();
      expect(emitter.emit('error', new Error('lost'))).toBe(false);
      expect(printed).toHaveLength(1);
      expect(printed[0]).toContain('Worker "email": Error: lost');
    });

    it.each(unreadableThings())('bears a listener that throws %s', (_, thrown) => {
      const { emitter } = setUp();
      emitter.on('drained', () => {
        throw thrown;
      });
      emitter.on('drained', () => Promise.reject(thrown as Error));
      expect(emitter.emit('drained')).toBe(true);
      expect(printed).toHaveLength(1);
    });

    it.each([undefined, null, 5, 'text', { secret: 1 }])('bears %p in place of an error', (value) => {
      const { emitter } = setUp();
      emitter.emit('error', value as unknown as Error);
      expect(printed).toHaveLength(1);
      expect(printed[0]).not.toContain('secret');
    });
  });
});

describe('asError', () => {
  it('passes errors on as they are, of any class and realm', () => {
    const error = new TypeError('broken');
    expect(asError(error)).toBe(error);
    const foreign = { name: 'Error', message: 'of another realm', stack: 'Error: of another realm' };
    expect(asError(foreign)).toBe(foreign);
  });

  it('takes message and name of what only resembles an error, and keeps the rest as the cause', () => {
    const thrown = { name: 'UnrecoverableError', message: 'no such user', code: 5 };
    const error = asError(thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'UnrecoverableError', message: 'no such user', cause: thrown });
    expect(asError({ message: '' })).toMatchObject({ name: 'Error', message: '' });
  });

  it.each([5, { code: 5 }, undefined])('keeps an error whose message is %p as the cause', (message) => {
    const thrown = Object.assign(new Error('broken'), { message });
    expect(asError(thrown)).toMatchObject({
      message: 'An error whose message is not a text was thrown',
      cause: thrown,
    });
  });

  it.each(unreadableThings())('copes with %s', (_, thrown) => {
    expect(typeof asError(thrown).message).toBe('string');
  });

  it('makes a text the message', () => {
    expect(asError('broken')).toMatchObject({ name: 'Error', message: 'broken' });
  });

  it.each([undefined, null, 5, true, Symbol('secret'), { secret: 1 }, { message: 5 }, () => 'secret'])(
    'names the kind of %p, and shows nothing of it',
    (thrown) => {
      const error = asError(thrown);
      expect(error).toBeInstanceOf(Error);
      expect(error.message).toBe(`A value that is not an error was thrown: ${typeof thrown}`);
    },
  );
});

/** Whatever reads them runs into an error. */
function unreadableThings(): [kind: string, thrown: unknown][] {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const refuse = (): never => {
    throw new Error('not to be read');
  };
  return [
    ['a revoked proxy', revoked.proxy],
    ['an object whose message cannot be read', Object.defineProperty({}, 'message', { get: refuse })],
    ['an error whose name cannot be read', Object.defineProperty(new Error('a'), 'name', { get: refuse })],
    ['an error whose stack cannot be read', Object.defineProperty(new Error('a'), 'stack', { get: refuse })],
    ['an error that is its own message', withItselfAsMessage(new Error('a'))],
  ];
}

function withItselfAsMessage(error: Error): Error {
  return Object.assign(error, { message: error });
}

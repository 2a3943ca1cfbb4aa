import { describe, expect, it } from '@jest/globals';

import { Service } from '../../../../lib/engine/runtime/service';
import { wait } from '../../../../lib/engine/runtime/wait';
import { ManualClock } from '../../../support/manual-clock';
import { SeededRandom } from '../../../support/seeded-random.mjs';

/** A part with a loop and a timer, as the parts of a worker are. */
class Ticker extends Service {
  readonly #stopped = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  starts = 0;
  stops = 0;
  ticks = 0;
  isLooping = false;

  constructor(private readonly clock: ManualClock) {
    super();
  }

  /** Aborted at the beginning of a stop. */
  get stopSignal(): AbortSignal {
    return this.#stopped.signal;
  }

  protected onStart(): void {
    this.starts += 1;
    this.#loop = this.#run();
  }

  protected async onStop(): Promise<void> {
    this.stops += 1;
    this.#stopped.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    this.isLooping = true;
    while (await wait(this.clock, 100, this.#stopped.signal)) {
      this.ticks += 1;
    }
    this.isLooping = false;
  }
}

describe('Service', () => {
  it('starts once and stops once', async () => {
    const clock = new ManualClock();
    const ticker = new Ticker(clock);
    expect(ticker.isStarted).toBe(false);
    ticker.start();
    ticker.start();
    expect([ticker.isStarted, ticker.starts]).toEqual([true, 1]);
    await clock.advance(250);
    expect(ticker.ticks).toBe(2);

    const stopping = ticker.stop();
    expect([ticker.isStarted, ticker.isLooping]).toEqual([false, true]);
    expect(ticker.stop()).toBe(stopping);
    await stopping;
    expect([ticker.isLooping, ticker.stops, clock.pendingTimers]).toEqual([false, 1, 0]);
  });

  it('may be stopped before it was started, and then never starts', async () => {
    const ticker = new Ticker(new ManualClock());
    await ticker.stop();
    ticker.start();
    expect([ticker.isStarted, ticker.starts, ticker.stops]).toEqual([false, 0, 0]);
  });

  it('stays stopped', async () => {
    const ticker = new Ticker(new ManualClock());
    ticker.start();
    await ticker.stop();
    ticker.start();
    expect([ticker.isStarted, ticker.starts]).toEqual([false, 1]);
    await ticker.stop();
    expect(ticker.stops).toBe(1);
  });

  it('has whoever stops it while it is being stopped wait as well', async () => {
    const ticker = new Ticker(new ManualClock());
    let isLoopingAfterInnerStop: boolean | undefined;
    const innerStop = new Promise<void>((resolve) => {
      ticker.stopSignal.addEventListener('abort', () => {
        void ticker.stop().then(() => {
          isLoopingAfterInnerStop = ticker.isLooping;
          resolve();
        });
      });
    });
    ticker.start();
    await Promise.all([ticker.stop(), innerStop]);
    expect([isLoopingAfterInnerStop, ticker.stops]).toEqual([false, 1]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('cannot stop'))],
    [
      'throws',
      () => {
        throw new Error('cannot stop');
      },
    ],
  ])('tells everybody who stops it that its end %s', async (_, end) => {
    class Broken extends Service {
      protected onStart(): void {
        // Nothing to do.
      }

      protected onStop(): Promise<void> {
        return end();
      }
    }
    const broken = new Broken();
    broken.start();
    const stops = [broken.stop(), broken.stop()];
    await expect(stops[0]).rejects.toThrow('cannot stop');
    await expect(stops[1]).rejects.toThrow('cannot stop');
    expect(broken.isStarted).toBe(false);
  });

  it('leaves nothing behind, however it is started and stopped', async () => {
    const random = new SeededRandom();
    const clock = new ManualClock();
    for (let round = 0; round < 300; round += 1) {
      const ticker = new Ticker(clock);
      const stops: Promise<void>[] = [];
      const steps: string[] = [];
      for (let step = random.integer(1, 8); step > 0; step -= 1) {
        const next = random.pick(['start', 'stop', 'advance']);
        steps.push(next);
        if (next === 'start') {
          ticker.start();
        } else if (next === 'stop') {
          stops.push(ticker.stop());
        } else {
          await clock.advance(random.integer(0, 250));
        }
      }
      stops.push(ticker.stop());
      await Promise.all(stops);
      const firstStart = steps.indexOf('start');
      const firstStop = steps.indexOf('stop');
      const started = firstStart !== -1 && (firstStop === -1 || firstStart < firstStop) ? 1 : 0;
      expect({
        steps,
        seed: random.seed,
        starts: ticker.starts,
        stops: ticker.stops,
        isLooping: ticker.isLooping,
        timers: clock.pendingTimers,
      }).toEqual({ steps, seed: random.seed, starts: started, stops: started, isLooping: false, timers: 0 });
    }
  });
});

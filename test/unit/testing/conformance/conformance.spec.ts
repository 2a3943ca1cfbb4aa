import { beforeEach, describe, expect, it } from '@jest/globals';

import { memory } from '../../../../lib/backends/memory';
import { OPERATIONS } from '../../../../lib/contract/operations';
import { Refusal } from '../../../../lib/contract/refusal';
import {
  CONFORMANCE_CASES,
  ledgerTable,
  registerConformance,
  reportGaps,
  runCase,
  runConformance,
  suiteGaps,
  type ConformanceCase,
  type ConformanceContext,
  type ConformanceHarness,
  type ContractCase,
  type EngineCase,
} from '../../../../lib/testing/conformance';
import { ManualClock } from '../../../support/manual-clock';

const harness: ConformanceHarness = {
  name: 'memory',
  capabilities: { durable: false, server: false },
  async start() {
    const clock = new ManualClock();
    return {
      backend: memory({ clock }),
      clock,
      advance: (millis) => clock.advance(millis),
      openTimers: () => clock.pendingTimers,
      stop: () => Promise.resolve(),
    };
  },
};

function contractCase(fields: Partial<ContractCase> = {}): ContractCase {
  return {
    operation: 'getJobs',
    title: 'does it',
    covers: ['rule'],
    run: () => Promise.resolve(),
    ...fields,
  };
}

function engineCase(fields: Partial<EngineCase> = {}): EngineCase {
  return { behaviour: 'close', title: 'ends', run: () => Promise.resolve(), ...fields };
}

const failing = (): Promise<void> => Promise.reject(new Error('red'));

describe('a conformance case', () => {
  async function failureOf(
    run: (context: ConformanceContext) => Promise<void>,
    fields: Partial<ContractCase> = {},
    overHarness: Partial<ConformanceHarness> = {},
  ): Promise<string> {
    try {
      await runCase(contractCase({ run, ...fields }), { ...harness, ...overHarness });
      return 'none';
    } catch (error) {
      return String(error);
    }
  }

  it('passes when nothing is wrong', async () => {
    expect(await failureOf(() => Promise.resolve())).toBe('none');
  });

  it('fails when it says that it covers an event and compares none', async () => {
    const covers = ['success', 'event:added'] as const;
    const looksElsewhere = async (context: ConformanceContext): Promise<void> => {
      const user = context.open();
      const tail = await context.tail(user);
      await user.pause();
      await tail.expect([{ event: 'paused' }]);
    };
    const looks = async (context: ConformanceContext): Promise<void> => {
      const user = context.open();
      const tail = await context.tail(user);
      await user.add({ id: 'a' });
      await tail.expectOf(['added'], [{ event: 'added', jobId: 'a', name: 'work' }]);
    };

    expect(await failureOf(looksElsewhere, { covers })).toContain('covers event:added, but compares none');
    expect(await failureOf(looks, { covers })).toBe('none');
  });

  it('fails when it says that it covers a refusal and compares none', async () => {
    const covers = ['refusal:LeaseMissing'] as const;
    const looksElsewhere = async (context: ConformanceContext): Promise<void> => {
      context.expectRefusals(await context.open().progress('none', '1'), Refusal.JobNotFound);
    };

    expect(await failureOf(looksElsewhere, { covers })).toContain('covers refusal:LeaseMissing, but');
  });

  it('fails when events come out of order', async () => {
    const failure = await failureOf(async (context) => {
      const user = context.open();
      const tail = await context.tail({
        handle: Object.create(user.handle, {
          lastEventId: { value: () => Promise.resolve('0-0') },
          readEvents: {
            value: () =>
              Promise.resolve({
                events: [
                  { id: '7-10', event: 'paused' },
                  { id: '7-9', event: 'resumed' },
                ],
                hasGap: false,
              }),
          },
        }) as typeof user.handle,
      } as typeof user);
      await tail.next();
    });

    expect(failure).toContain('the event id 7-9 does not come after 7-10');
  });

  it('fails when it leaves a timer or a listener behind', async () => {
    expect(
      await failureOf(async (context) => {
        context.clock.setTimer(10, () => undefined);
      }),
    ).toContain('1 timers are left');
    expect(
      await failureOf(async (context) => {
        context.signal().signal.addEventListener('abort', () => undefined);
      }),
    ).toContain('1 listeners are left at abort signals');
  });

  it('fails when the backend is not the one that the harness tells of', async () => {
    expect(await failureOf(() => Promise.resolve(), {}, { name: 'other' })).toContain('memory');
    expect(await failureOf(() => Promise.resolve(), {}, { kind: 'other' })).toContain('memory');
    expect(
      await failureOf(() => Promise.resolve(), {}, { capabilities: { durable: true, server: false } }),
    ).toContain('durable');
  });

  it('runs a backend in several ways, under several names', async () => {
    await runCase(contractCase(), { ...harness, name: 'memory-otherwise', kind: 'memory' });
  });

  it('closes what it opened and removes its store, also when it fails', async () => {
    let stops = 0;
    let context: ConformanceContext | undefined;
    const start = async () => {
      const underTest = await harness.start();
      return { ...underTest, stop: async () => void (stops += 1) };
    };
    const run = async (given: ConformanceContext): Promise<void> => {
      context = given;
      user = given.open();
      await failing();
    };
    let user: ReturnType<ConformanceContext['open']> | undefined;

    expect(await failureOf(run, {}, { start })).toBe('Error: red');
    expect(context).toBeDefined();
    expect(stops).toBe(1);
    await expect(user!.handle.time()).rejects.toMatchObject({ code: 'LANE_CLOSED' });
  });
});

describe('the suite with a test runner', () => {
  let tests: { title: string; run: () => Promise<void> }[];

  beforeEach(() => {
    tests = [];
  });

  function register(cases: readonly ConformanceCase[]): void {
    const path: string[] = [];
    const describeIn = (title: string, registerInside: () => void): void => {
      path.push(title);
      registerInside();
      path.pop();
    };
    const it = (title: string, run: () => Promise<void>): void => {
      tests.push({ title: [...path, title].join(' > '), run });
    };
    registerConformance({ describe: describeIn, it }, harness, cases);
  }

  it('registers a test per case by area, and a last one that counts them', async () => {
    register([
      contractCase({ title: 'one' }),
      engineCase({ title: 'two' }),
      contractCase({ title: 'three' }),
      contractCase({ title: 'skipped', requires: 'durable' }),
    ]);

    expect(tests.map(({ title }) => title)).toEqual([
      'conformance: memory > getJobs > one',
      'conformance: memory > getJobs > three',
      'conformance: memory > engine: close > two',
      'conformance: memory > ran all 3 cases that its capabilities allow',
    ]);
    for (const { run } of tests) {
      await run();
    }
  });

  it('fails when not every case ran', async () => {
    register([contractCase({ title: 'one' }), contractCase({ title: 'two' })]);
    await tests[0]!.run();

    await expect(tests.at(-1)!.run()).rejects.toThrow();
  });

  it('passes a failing case on', async () => {
    register([contractCase({ run: failing })]);

    await expect(tests[0]!.run()).rejects.toThrow('red');
  });
});

describe('the suite without a test runner', () => {
  const passes = contractCase({ title: 'passes' });
  const fails = engineCase({ title: 'fails', run: failing });
  const skips = contractCase({ title: 'skips', requires: 'durable' });

  it('NA-10-18 reports what passed, failed and was skipped', async () => {
    const begun: ConformanceCase[] = [];
    const report = await runConformance(harness, [passes, fails, skips], (each) => begun.push(each));

    expect(report).toEqual({
      backend: 'memory',
      passed: [passes],
      failed: [{ conformanceCase: fails, error: new Error('red') }],
      skipped: [{ conformanceCase: skips, capability: 'durable' }],
    });
    expect(begun).toEqual([passes, fails]);
  });

  it('makes a table of it', async () => {
    const report = await runConformance(harness, [passes, fails, skips, contractCase({ title: 'other' })]);

    const other = { ...report, backend: 'other', failed: [] };
    const skipped = '1 skipped: not durable';
    expect(ledgerTable([report, other]).split('\n')).toEqual([
      'area           memory                                      other',
      `getJobs        2 passed, ${skipped}            2 passed, ${skipped}`,
      'engine: close  0 passed, 1 failed                          0 passed',
      `all            2 passed, 1 failed, ${skipped}  2 passed, ${skipped}`,
    ]);
  });

  it('has gaps where a case failed, was skipped without a reason, or did not run', async () => {
    const report = await runConformance(harness, [passes, fails, skips]);
    const cases = [passes, fails, skips, contractCase({ title: 'forgotten' })];
    const unexplained = { conformanceCase: passes, capability: 'durable' } as const;

    expect(reportGaps(report, harness, cases)).toEqual([
      'memory: "engine: close: fails" failed: Error: red',
      'memory: "getJobs: forgotten" was not run.',
    ]);
    expect(reportGaps({ ...report, failed: [], skipped: [unexplained] }, harness, [passes])).toEqual([
      'memory: "getJobs: passes" was skipped, which no capability explains.',
    ]);
    expect(
      reportGaps(
        { ...report, passed: [], failed: [] },
        { ...harness, capabilities: { durable: true, server: false } },
        [skips],
      ),
    ).toEqual(['memory: "getJobs: skips" was skipped, which no capability explains.']);
  });
});

describe('the gaps of the suite', () => {
  it('are none as it is', () => {
    expect(suiteGaps(CONFORMANCE_CASES)).toEqual([]);
  });

  it('are all that the contract lists when there is no case', () => {
    const gaps = suiteGaps([]);

    expect(gaps).toContain('addJobs has no case that covers event:duplicated.');
    expect(gaps).toContain('settleJobs has no case that covers refusal:LeaseMismatch.');
    expect(gaps).toContain('pause has no case that covers expired-call.');
    expect(gaps).toContain('getCounts has no case that covers closed-handle.');
    expect(gaps).not.toContain('getCounts has no case that covers replay.');
    expect(gaps).not.toContain('close has no case that covers closed-handle.');
    for (const operation of Object.keys(OPERATIONS)) {
      expect(gaps).toContain(`${operation} has no case that covers success.`);
    }
  });

  it.each(
    CONFORMANCE_CASES.flatMap((each) =>
      'operation' in each ? each.covers.map((what) => [each.operation, what]) : [],
    )
      .filter(([, what]) => what !== 'rule')
      .map((pair) => pair.join(': '))
      .filter((pair, index, all) => all.indexOf(pair) === index),
  )('show when no case covers %s', (pair) => {
    const [operation, what] = pair.split(/: (.*)/s);
    const rest = CONFORMANCE_CASES.map((each) =>
      'operation' in each && each.operation === operation
        ? { ...each, covers: each.covers.filter((other) => other !== what) }
        : each,
    );

    expect(suiteGaps(rest)).toEqual([`${operation} has no case that covers ${what}.`]);
  });

  it('show two cases of one name', () => {
    const twice = [...CONFORMANCE_CASES, contractCase({ title: 'a' }), contractCase({ title: 'a' })];

    expect(suiteGaps(twice)).toEqual(['Two cases are called "getJobs: a".']);
  });
});

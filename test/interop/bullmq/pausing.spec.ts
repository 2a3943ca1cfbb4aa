import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { nameOf, type Major, type Party } from './support/bullmq';
import { guardSharedQueues } from './support/guard';
import { parties, PauseSequences, textOf, waysOf, type Outcome, type Step } from './support/pause-sequences';

guardSharedQueues();

/** Who pauses and who resumes: every pair is a cell. */
const cells = parties.flatMap((pauser) =>
  parties.map((resumer): [string, string, Party, Party] => [
    nameOf(pauser),
    nameOf(resumer),
    pauser,
    resumer,
  ]),
);

/** The guide lists these: docs/guides/moving-from-bullmq.md. */
const lostByBullMq = ['6 pauses, 5 adds, 5 resumes', '5 pauses, 6 adds, 5 resumes'];

const lostWithUs: Record<'auto' | Major, string[]> = {
  auto: [
    ...lostByBullMq,
    // We cannot know that version 5 will come.
    'ours pauses, 5 adds, 5 resumes',
    // We know that version 5 was there, and pause as it does.
    'ours pauses, 6 adds, 5 resumes',
  ],
  5: [...lostByBullMq, 'ours pauses, 6 adds, 5 resumes', '6 pauses, ours adds, 5 resumes'],
  6: [...lostByBullMq, 'ours pauses, 5 adds, 5 resumes', '5 pauses, ours adds, 5 resumes'],
};

const once = ['add', 'pause', 'add', 'resume'] as const satisfies Step['call'][];
const twice = ['add', 'pause', 'add', 'pause', 'add', 'resume'] as const satisfies Step['call'][];

const takesPart = (steps: readonly Step[]): boolean => steps.some(({ by }) => by === 'ours');

let sequences: PauseSequences;

/** What came of sequences, by what we were told: each is tried once. */
const known = new Map<string, Promise<Outcome>>();

function outcomeOf(steps: readonly Step[]): Promise<Outcome> {
  const sequence = `${sequences.told}: ${textOf(steps)}`;
  const outcome = known.get(sequence) ?? sequences.run(steps);
  known.set(sequence, outcome);
  return outcome;
}

/** Nothing is lost that BullMQ would keep, in our place. */
async function expectNoneLost(steps: readonly Step[]): Promise<void> {
  const { lost, isPaused, asBullMq } = await outcomeOf(steps);
  const theirs = lost.length > 0 && takesPart(steps) ? await outcomeOf(asBullMq) : undefined;
  expect({
    steps: textOf(steps),
    lost: theirs === undefined || theirs.lost.length > 0 ? [] : lost,
    isPaused,
  }).toEqual({ steps: textOf(steps), lost: [], isPaused: false });
}

/** What follows the first add in the sequences that lose jobs. */
async function losingAmong(ways: readonly Step[][]): Promise<string[]> {
  const losing = new Set<string>();
  for (const steps of ways) {
    const { lost } = await outcomeOf(steps);
    if (lost.length > 0) losing.add(textOf(steps.slice(1)));
  }
  return [...losing].sort();
}

describe.each([['auto'], [5], [6]] as ['auto' | Major][])(
  'a queue of both majors of BullMQ and us, told of: %s',
  (told) => {
    beforeEach(() => {
      sequences = new PauseSequences(told);
    });

    afterEach(() => sequences.close());

    it.each(cells)(
      '%s may pause it, and %s resume it, whoever adds',
      async (_, _resumer, pauser, resumer) => {
        for (const steps of waysOf(once)) {
          if (steps[1]!.by === pauser && steps[3]!.by === resumer) await expectNoneLost(steps);
        }
      },
    );

    it('loses jobs in no other sequences than the guide says, and in none that we or BullMQ 6 end', async () => {
      const losing = await losingAmong(waysOf(once));
      expect(losing.filter((steps) => !steps.endsWith('5 resumes'))).toEqual([]);
      expect(losing).toEqual([...lostWithUs[told]].sort());
    });

    it('loses nothing where one major and we, told of it, are alone', async () => {
      for (const major of told === 'auto' ? [6] : [told]) {
        for (const steps of waysOf(['add', 'pause', 'add', 'pause', 'resume'], ['ours', major as Major])) {
          expect({ steps: textOf(steps), ...(await outcomeOf(steps)) }).toMatchObject({
            steps: textOf(steps),
            lost: [],
          });
        }
      }
    });
  },
);

describe.each([['auto'], [5]] as ['auto' | Major][])('a queue that is paused twice, told of: %s', (told) => {
  beforeEach(() => {
    sequences = new PauseSequences(told);
  });

  afterEach(() => sequences.close());

  it.each(cells)('by %s the first time, and is resumed by %s', async (_, _resumer, pauser, resumer) => {
    for (const steps of waysOf(twice)) {
      const isOfCell = steps[1]!.by === pauser && steps[5]!.by === resumer;
      // Whether version 5 was there first makes a difference where we have to find out.
      const opener = steps[0]!.by;
      if (isOfCell && takesPart(steps) && opener === (told === 'auto' ? 5 : 'ours')) {
        await expectNoneLost(steps);
      }
    }
  });
});

describe('BullMQ alone', () => {
  beforeEach(() => {
    sequences = new PauseSequences();
  });

  afterEach(() => sequences.close());

  it('loses jobs where its two majors pause one queue, as the guide says', async () => {
    expect(await losingAmong(waysOf(once, [5, 6]))).toEqual([...lostByBullMq].sort());
  });
});

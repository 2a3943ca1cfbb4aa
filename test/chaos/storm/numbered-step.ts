import { isDeepStrictEqual } from 'node:util';

import { CHANNELS, type MutatingCall, type QueueBackend } from 'nestjs-lane/contract';

import type { SeededRandom } from '../../support/seeded-random.mjs';
import { channelKey, type Caller, type MadeCall, type Scene, type Step } from './scene';
import type { Answer, CallNumber, Side } from './side';

/** Least time in milliseconds for which the outcome of a call is kept. */
const LEAST_KEPT = 600_000;

/** How a call is made, apart from its number. */
interface Numbered<Item> {
  readonly caller: Caller;
  readonly channels: keyof typeof CHANNELS;
  readonly operation: string;
  /** What it is about, item by item, in the terms of the storm. */
  readonly items?: readonly Item[];
  /** What else is asked. */
  readonly request?: object;
  /** Of the leases that it takes or renews. */
  readonly leaseDuration?: number;
  call(handle: QueueBackend, call: MutatingCall, items: readonly Item[], side: Side): Promise<unknown>;
  /** Takes in the reply of a call that ran. */
  learn?(reply: unknown, scene: Scene, items: readonly Item[]): void;
}

/**
 * A step that is a numbered call: as a rule a new one in time, sometimes one that is late or out of turn.
 *
 * @param random - `null` for one that is as it should be
 */
export function numberedStep<Item = never>(
  scene: Scene,
  random: SeededRandom | null,
  numbered: Numbered<Item>,
): Step {
  const caller = numbered.caller.name;
  const channels = CHANNELS[numbered.channels] as unknown as [string, ...string[]];
  const number =
    random === null
      ? {
          caller,
          channel: channels[0],
          sequence: scene.nextNumber(caller, channels[0], 1),
          notAfter: scene.now + 60_000,
        }
      : numberOf(scene, random, caller, random.pick(channels));
  const lateness = number.notAfter - scene.now;
  return callStep(numbered, number, lateness < 1_000 ? `, not after ${lateness} ms from now` : '');
}

function callStep<Item>(numbered: Numbered<Item>, number: CallNumber, due: string): Step {
  const { operation, items = [], request, leaseDuration = 0 } = numbered;
  const key = channelKey(number);
  const asked = [
    ...(request === undefined ? [] : [request]),
    ...(numbered.items === undefined ? [] : [items]),
  ];
  const step: Step = {
    text:
      [`${key}:${number.sequence}`, operation, ...asked.map((part) => JSON.stringify(part, shortened))].join(
        ' ',
      ) + due,
    caller: number.caller,
    act: (side) => numbered.call(side.handle(number.caller), side.toCall(number), items, side),
    items: items.length,
    without: (from, to) =>
      callStep({ ...numbered, items: [...items.slice(0, from), ...items.slice(to)] }, number, due),
    learn(answer, later) {
      if ('refused' in answer) return;
      const kept = later.now + Math.max(LEAST_KEPT, 2 * leaseDuration);
      later.lastCalls.set(key, { step, number, answer, keptUntil: Math.max(kept, number.notAfter + 1) });
      numbered.learn?.(answer.reply, later, items);
    },
  };
  return step;
}

function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > 100 ? `${value.length} letters` : value;
}

function numberOf(scene: Scene, random: SeededRandom, caller: string, channel: string): CallNumber {
  const chance = random.next();
  const lastCall = scene.lastCalls.get(channelKey({ caller, channel }));
  const last = lastCall?.number.sequence ?? 0;
  if (chance < 0.02 && last > 1 && scene.now < lastCall!.keptUntil) {
    return { caller, channel, sequence: random.integer(1, last - 1), notAfter: scene.now + 60_000 };
  }
  const sequence = scene.nextNumber(caller, channel, random.pick([1, 1, 1, 1, 7]));
  if (chance > 0.97) {
    return { caller, channel, sequence, notAfter: scene.now - random.pick([1, 1, 999, 3_600_000]) };
  }
  return { caller, channel, sequence, notAfter: scene.now + random.pick([0, 60_000, 60_000, 900_000]) };
}

/** A call made again, by someone who has seen no reply. */
export function repeatedStep({ step, number }: MadeCall): Step {
  return {
    ...step,
    text: `again: ${step.text}`,
    learn(answer, scene) {
      const first = scene.lastCalls.get(channelKey(number));
      if (first?.number.sequence !== number.sequence) step.learn?.(answer, scene);
      else if (!isAnsweredAgain(first.answer, answer)) {
        throw new Error(`It was answered ${JSON.stringify(first.answer)}, and now ${JSON.stringify(answer)}`);
      }
    },
  };
}

/** Whether an answer is what a call was answered before, but for claimed jobs that are leased no more. */
function isAnsweredAgain(first: Answer, again: Answer): boolean {
  if ('refused' in first || 'refused' in again) return false;
  const [earlier, later] = [withIds(first.reply), withIds(again.reply)];
  if (!isDeepStrictEqual(earlier.rest, later.rest)) return false;
  let at = -1;
  return later.ids.every((id) => (at = earlier.ids.indexOf(id, at + 1)) !== -1);
}

function withIds(reply: unknown): { rest: unknown; ids: string[] } {
  const { claim, ...rest } = reply as { claim?: { jobs: { id: string }[] } | null };
  if (claim == null) return { rest: reply, ids: [] };
  const { jobs, ...terms } = claim;
  return { rest: { ...rest, terms }, ids: jobs.map(({ id }) => id) };
}

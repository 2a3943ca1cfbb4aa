import { repeatedStep } from '../numbered-step';
import type { Caller, Step } from '../scene';
import type { StormOperation } from './operation';

/** Workers and producers that may be there at once, and over a whole storm. */
const most = 6;
const mostInAll = 40;

/** Callers that come, go, vanish, and repeat themselves. */
export const CALLERS: readonly StormOperation[] = [
  {
    name: 'repeat a call',
    weight: 4,
    plan(scene, random) {
      const kept = [...scene.lastCalls.values()].filter(({ keptUntil }) => scene.now < keptUntil);
      const made = scene.any(random, kept);
      return made === undefined ? null : repeatedStep(made);
    },
  },
  {
    name: 'a caller comes',
    weight: 0.5,
    plan(scene, random) {
      if (scene.callers.length >= most || scene.cameInAll >= mostInAll) return null;
      return enterStep(scene.newCaller(random.pick(['worker', 'worker', 'producer'])));
    },
  },
  {
    name: 'a caller goes',
    weight: 0.3,
    plan(scene, random) {
      const caller = scene.any(random, scene.callers)!;
      if (scene.callersOf(caller.role).length < 2) return null;
      return {
        text: `${caller.name} closes its handle`,
        act: (side) => side.handle(caller.name).close(),
        caller: caller.name,
        learn: (_answer, later) => later.leave(caller.name),
      };
    },
  },
  {
    // Its handle stays open, as the store sees it; what it held nobody renews.
    name: 'a worker crashes',
    weight: 0.4,
    plan(scene, random) {
      const workers = scene.callersOf('worker');
      const caller = scene.any(random, workers);
      if (caller === undefined || workers.length < 2) return null;
      return {
        text: `${caller.name} crashes`,
        act: () => Promise.resolve(null),
        caller: caller.name,
        learn: (_answer, later) => later.leave(caller.name),
      };
    },
  },
];

export function enterStep(caller: Caller): Step {
  return {
    text: `${caller.name} comes`,
    act: async (side) => {
      side.open(caller.name, caller.role);
      return null;
    },
    learn: (_answer, { callers }) => void callers.push(caller),
  };
}

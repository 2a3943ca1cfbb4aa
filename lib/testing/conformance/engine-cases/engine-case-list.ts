import { addingCases } from './adding.cases';
import { delayingCases } from './delaying.cases';
import type { EngineCase } from './engine-case';
import { failingCases } from './failing.cases';
import { keepingCases } from './keeping.cases';
import { listeningCases } from './listening.cases';
import { recoveringCases } from './recovering.cases';
import { runningCases } from './running.cases';
import { stoppingCases } from './stopping.cases';

/**
 * What the engine does the same on every backend, by area.
 *
 * @public
 */
export const ENGINE_CASES: Readonly<Record<string, readonly EngineCase[]>> = {
  adding: addingCases,
  running: runningCases,
  failing: failingCases,
  delaying: delayingCases,
  recovering: recoveringCases,
  stopping: stoppingCases,
  listening: listeningCases,
  keeping: keepingCases,
};

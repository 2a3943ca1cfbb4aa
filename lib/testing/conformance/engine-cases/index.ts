import type { EngineCase } from '../conformance-case';
import { addingCases } from './adding.cases';
import { backoffCases } from './backoff.cases';
import { cancellingCases } from './cancelling.cases';
import { cancellingAnywhereCases } from './cancelling-anywhere.cases';
import { delayingCases } from './delaying.cases';
import type { EngineScenario } from './engine-scenario';
import { failingCases } from './failing.cases';
import { fetchingCases } from './fetching.cases';
import { followingCases } from './following.cases';
import { headerCases } from './headers.cases';
import { identifyingCases } from './identifying.cases';
import { ingestingCases } from './ingesting.cases';
import { keepingCases } from './keeping.cases';
import { limitingCases } from './limiting.cases';
import { listeningCases } from './listening.cases';
import { movingCases } from './moving.cases';
import { outcomeCases } from './outcomes.cases';
import { puttingOffCases } from './putting-off.cases';
import { recoveringCases } from './recovering.cases';
import { removingCases } from './removing.cases';
import { runEngineScenario } from './run-engine-scenario';
import { runningCases } from './running.cases';
import { measuringCases } from './measuring.cases';
import { annotatingCases } from './annotating.cases';
import { findingCases } from './finding.cases';
import { tellingCases } from './telling.cases';
import { secondWaysCases } from './second-ways.cases';
import { timeLimitCases } from './time-limits.cases';
import { stoppingCases } from './stopping.cases';

const SCENARIOS: Readonly<Record<string, readonly EngineScenario[]>> = {
  adding: addingCases,
  ingesting: ingestingCases,
  running: runningCases,
  failing: failingCases,
  backoff: backoffCases,
  delaying: delayingCases,
  'putting off': puttingOffCases,
  outcomes: outcomeCases,
  fetching: fetchingCases,
  recovering: recoveringCases,
  cancelling: [...cancellingCases, ...cancellingAnywhereCases],
  'time limits': timeLimitCases,
  headers: headerCases,
  stopping: stoppingCases,
  limiting: limitingCases,
  listening: listeningCases,
  following: followingCases,
  keeping: keepingCases,
  moving: movingCases,
  finding: findingCases,
  identifying: identifyingCases,
  removing: removingCases,
  annotating: annotatingCases,
  measuring: measuringCases,
  'second ways': secondWaysCases,
  telling: tellingCases,
};

/**
 * What every backend does in the hands of `Queue`, `Worker` and `QueueEvents`.
 *
 * @internal
 */
export const ENGINE_CASES: readonly EngineCase[] = Object.entries(SCENARIOS).flatMap(
  ([behaviour, scenarios]) =>
    scenarios.map((scenario) => ({
      behaviour,
      title: scenario.title,
      requires: scenario.requires,
      run: (context) =>
        runEngineScenario(scenario, {
          backend: context.backend,
          clock: context.clock,
          advance: (millis) => context.advance(millis),
        }),
    })),
);

import { Logger } from '@nestjs/common';

import { backendFromUrl } from '../../backends/from-url';
import { memory } from '../../backends/memory';
import { type Clock, systemClock } from '../../contract/clock';
import type { LaneBackend } from '../../contract/queue-backend';
import type { Queue } from '../../engine/queue';
import type { JobRun } from '../../engine/worker/job-executor';
import type { Worker } from '../../engine/worker/worker';
import { backendRequired, noServer } from '../messages/option.messages';
import { capitalized, connectionNamed } from '../messages/wording';
import type { UnknownJob } from '../options/queue-defaults';
import type { WorkerPlan } from '../planning/worker.planner';
import type { ConnectionRegistration } from '../registration/connection-registration';

/**
 * What an application's queues and workers stand on: where jobs are stored and whose time counts. The test kit puts
 * others in its place, under the token `LANE_SURROUNDINGS`; that is the one difference between an application and
 * an application under test.
 *
 * @internal
 */
export class LaneSurroundings {
  /** The time of queues and workers. */
  readonly clock: Clock = systemClock;
  /** What becomes of jobs whose name no handler takes, where no option says. */
  readonly unknownJob: UnknownJob = 'release';

  /**
   * The backend of a connection. What is wrong with it becomes a problem of the registration.
   *
   * @returns `undefined` when there can be none
   * @throws LaneError when the backend of a URL cannot be had
   */
  async backendOf(registration: ConnectionRegistration): Promise<LaneBackend | undefined> {
    const { backend, name, problems, requireConnection, isWithoutBackend } = registration;
    if (isWithoutBackend && process.env.NODE_ENV === 'production') {
      problems.add(backendRequired(name));
    }
    if (!problems.isEmpty) {
      return undefined;
    }
    const made = typeof backend === 'string' ? await backendFromUrl(backend) : (backend ?? memory());
    if (!made.capabilities.server && requireConnection !== undefined) {
      problems.add(noServer(made.kind));
      return undefined;
    }
    if (isWithoutBackend) {
      new Logger('LaneModule').log(
        `${capitalized(connectionNamed(name))} has no backend: its jobs are kept in memory and end with the process.`,
      );
    }
    return made;
  }

  /**
   * Told of every queue that is made.
   *
   * @param connection - name of its connection
   */
  queueMade(queue: Queue, connection: string): void {
    void [queue, connection];
  }

  /**
   * What a worker runs its jobs by; asked once for each worker.
   *
   * @param dispatch - hands a job to its handler
   */
  processing(plan: WorkerPlan, dispatch: (run: JobRun) => unknown): (run: JobRun) => unknown {
    void plan;
    return dispatch;
  }

  /** Told of every worker that is made, before it starts. */
  workerMade(worker: Worker, plan: WorkerPlan): void {
    void [worker, plan];
  }
}

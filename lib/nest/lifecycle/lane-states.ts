import type { Observable } from 'rxjs';
import { BehaviorSubject } from 'rxjs';

/**
 * How far an application is:
 *
 * - `starting`: no worker has started by itself yet
 * - `running`: they have, those that are to; with `start: 'manual'` they may now
 * - `draining`: no more jobs are taken, and those that run may end
 * - `drained`: no job runs any more; jobs can still be added
 * - `closed`: the queues are closed
 *
 * @public
 */
export type LaneState = 'starting' | 'running' | 'draining' | 'drained' | 'closed';

const ORDER: readonly LaneState[] = ['starting', 'running', 'draining', 'drained', 'closed'];

/**
 * Keeps how far the application is. It never goes back.
 *
 * @internal
 */
export class LaneStates {
  readonly #states = new BehaviorSubject<LaneState>('starting');
  readonly state$: Observable<LaneState> = this.#states.asObservable();

  get state(): LaneState {
    return this.#states.value;
  }

  /** Whether no worker starts any more. */
  get isEnding(): boolean {
    return this.#isAtLeast('draining');
  }

  reach(state: LaneState): void {
    if (!this.#isAtLeast(state)) {
      this.#states.next(state);
    }
    if (state === 'closed') {
      this.#states.complete();
    }
  }

  #isAtLeast(state: LaneState): boolean {
    return ORDER.indexOf(this.state) >= ORDER.indexOf(state);
  }
}

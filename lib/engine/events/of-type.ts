import { filter, type Observable } from 'rxjs';

import type { EventGap, QueueEvent } from '../../model/queue-event';
import { isEventReplay } from './event-replay';

type AnyEvent = QueueEvent | EventGap;

/**
 * RxJS operator that keeps the events of some types.
 *
 * @example
 * ```ts
 * queue.events$.pipe(ofType('failed')).subscribe(({ jobId, failedReason }) => console.log(jobId, failedReason));
 * ```
 *
 * @public
 */
export function ofType<Type extends AnyEvent['type']>(
  ...types: readonly Type[]
): <Event extends AnyEvent>(source: Observable<Event>) => Observable<Extract<Event, { type: Type }>> {
  return <Event extends AnyEvent>(source: Observable<Event>) => {
    const isKept = (event: Event): event is Extract<Event, { type: Type }> =>
      (types as readonly string[]).includes(event.type);
    // A replay stays one, which boundedConcatMap can make wait.
    return isEventReplay(source) ? source.keep(isKept) : source.pipe(filter(isKept));
  };
}

import { isObservable, lastValueFrom } from 'rxjs';

/**
 * What an Observable comes to, its last value or `undefined` for none; anything else is itself.
 *
 * @internal
 */
export function lastValueOf(given: unknown): unknown {
  return isObservable(given) ? lastValueFrom(given, { defaultValue: undefined }) : given;
}

/**
 * How a major of Terminus is told that something is down, `thrown` or `returned`, and whether it knows `degraded`
 * besides.
 *
 * @internal
 */
export type TerminusWay = 'thrown' | 'returned' | 'returned-or-degraded';

/**
 * Finds out which major of `@nestjs/terminus` the application has, by what it exports. Without any, results are returned:
 * whoever asks reads them as they are.
 *
 * @internal
 */
export function terminusWay(): TerminusWay {
  let names: string[];
  try {
    names = Object.keys(require('@nestjs/terminus') as object);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Terminus 12 is an ES module, which test runners do not load this way.
    return code === 'ERR_REQUIRE_ESM' ? 'returned-or-degraded' : 'returned';
  }
  if (!names.includes('HealthCheckError')) {
    return 'returned-or-degraded';
  }
  return names.includes('HealthIndicatorService') ? 'returned' : 'thrown';
}

import { expect, it, jest } from '@jest/globals';

import { RedisServer } from '../../support/redis/redis-server.mjs';
import { runSnippets } from './run-snippets.mjs';

jest.setTimeout(120_000);

it('the examples of README and guides run, and print what they say', async () => {
  // A server of their own, since they name their queues as readers would.
  const redis = await RedisServer.start();
  const snippets = await runSnippets(redis.url).finally(() => redis.stop());

  const byPlace = (of: 'prints' | 'printed'): Record<string, string[] | undefined> =>
    Object.fromEntries(snippets.map((snippet) => [`${snippet.page}:${snippet.line}`, snippet[of]]));
  expect(byPlace('printed')).toEqual(byPlace('prints'));
});

import type { Cluster, Redis } from 'ioredis';

import type { Clock } from '../../contract/clock';
import type { FindOrphanedJobsRequest, FoundOrphanedJobs } from '../../contract/job-removal';
import { FIND_ORPHANED_JOBS } from './lua-scripts';
import type { RedisClient } from './redis-client';

/** Ids of a list that are read at once. */
const PORTION = 250;

/** Keys that one step looks at, at most: the server does nothing else meanwhile. */
const MOST_SCANNED = 10_000;

const LISTS = ['wait', 'paused', 'active'];

/**
 * Looks through the keys of a server for jobs that are in no state. What it finds may be a job that moved meanwhile:
 * whoever removes jobs looks again, in the same step.
 *
 * The ids that stand in lists are read once a search, since looking for one in a list takes as long as the list is.
 *
 * @internal
 */
export class OrphanSearch {
  #listed: ReadonlySet<string> = new Set();

  constructor(
    private readonly client: RedisClient,
    private readonly base: string,
    private readonly clock: Clock | undefined,
  ) {}

  /** The cursor names a node of the cluster, and where it has got to there. */
  async find({ cursor, count }: FindOrphanedJobsRequest): Promise<FoundOrphanedJobs> {
    if (cursor === null) {
      this.#listed = await this.#readLists();
    }
    const [node = '0', position = '0'] = (cursor ?? '0 0').split(' ');
    const { keys, next } = await this.client.use((client) =>
      scan(client, Number(node), position, `${escapePattern(this.base)}*`, Math.min(count, MOST_SCANNED)),
    );
    const ids = keys.map((key) => key.slice(this.base.length)).filter((id) => !this.#listed.has(id));
    if (next === null) {
      this.#listed = new Set();
    }
    return { ids: await this.#inNoSet([...new Set(ids)]), cursor: next };
  }

  async #readLists(): Promise<ReadonlySet<string>> {
    const listed = new Set<string>();
    for (const list of LISTS) {
      for (let first = 0, isAtEnd = false; !isAtEnd; first += PORTION) {
        const ids = await this.client.use((client) =>
          client.lrange(this.base + list, first, first + PORTION - 1),
        );
        ids.forEach((id) => listed.add(id));
        isAtEnd = ids.length < PORTION;
      }
    }
    return listed;
  }

  async #inNoSet(ids: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (let first = 0; first < ids.length; first += PORTION) {
      const items = ids.slice(first, first + PORTION).map((id) => ({ id }));
      const args = FIND_ORPHANED_JOBS.encode({ now: this.clock?.now() ?? '' }, items);
      found.push(...((await this.client.run(FIND_ORPHANED_JOBS, this.base, args)) as string[]));
    }
    return found;
  }
}

async function scan(
  client: Redis | Cluster,
  node: number,
  position: string,
  pattern: string,
  count: number,
): Promise<{ keys: string[]; next: string | null }> {
  const nodes = client.isCluster ? (client as Cluster).nodes('master') : [client as Redis];
  const scanned = nodes[node];
  if (scanned === undefined) {
    return { keys: [], next: null };
  }
  const [after, keys] = await scanned.scan(position, 'MATCH', pattern, 'COUNT', count, 'TYPE', 'hash');
  if (after !== '0') {
    return { keys, next: `${node} ${after}` };
  }
  return { keys, next: node + 1 < nodes.length ? `${node + 1} 0` : null };
}

/** The signs that mean something in the pattern of a scan stand for themselves. */
function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

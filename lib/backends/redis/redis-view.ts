import type { OutsideView, SchedulerPage, StoredScheduler } from '../../contract/outside-view';
import type { RedisClient } from './redis-client';

/** Definitions that are asked for at once. */
const PORTION = 100;

/**
 * What dashboards see of a queue. Storage protocol, section 11 for schedulers.
 *
 * @internal
 */
export class RedisView implements OutsideView {
  readonly qualifiedName: string;

  /** @param refuseWhenClosed - throws when the handle is closed, whose client goes on with others */
  constructor(
    private readonly redis: RedisClient,
    private readonly base: string,
    private readonly refuseWhenClosed: () => void,
  ) {
    this.qualifiedName = base.slice(0, -1);
  }

  async client(): Promise<unknown> {
    this.refuseWhenClosed();
    return this.redis.connected();
  }

  async countSchedulers(): Promise<number> {
    this.refuseWhenClosed();
    return this.redis.use((client) => client.zcard(`${this.base}repeat`));
  }

  async schedulers({ offset, limit, order }: SchedulerPage): Promise<StoredScheduler[]> {
    this.refuseWhenClosed();
    if (limit === 0) {
      return [];
    }
    const key = `${this.base}repeat`;
    const last = limit === null ? -1 : offset + limit - 1;
    const flat = await this.redis.use((client) =>
      order === 'ascending'
        ? client.zrange(key, String(offset), String(last), 'WITHSCORES')
        : client.zrevrange(key, offset, last, 'WITHSCORES'),
    );
    const found = flat.flatMap((id, index) => (index % 2 === 0 ? { id, score: flat[index + 1]! } : []));
    const schedulers: StoredScheduler[] = [];
    for (let first = 0; first < found.length; first += PORTION) {
      const portion = found.slice(first, first + PORTION).map(({ id, score }) => this.#read(id, score));
      schedulers.push(...(await Promise.all(portion)));
    }
    return schedulers;
  }

  async scheduler(id: string): Promise<StoredScheduler | null> {
    this.refuseWhenClosed();
    const score = await this.redis.use((client) => client.zscore(`${this.base}repeat`, id));
    return score === null ? null : this.#read(id, score);
  }

  async #read(id: string, score: string): Promise<StoredScheduler> {
    const fields = await this.redis.use((client) => client.hgetall(`${this.base}repeat:${id}`));
    return { id, next: Number(score), fields };
  }
}

import type { OutsideView, StoredScheduler } from '../../contract/outside-view';
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

  async schedulers(): Promise<StoredScheduler[]> {
    this.refuseWhenClosed();
    const flat = await this.redis.use((client) =>
      client.zrange(`${this.base}repeat`, '0', '-1', 'WITHSCORES'),
    );
    const found = flat.flatMap((id, index) => (index % 2 === 0 ? { id, next: Number(flat[index + 1]) } : []));
    const schedulers: StoredScheduler[] = [];
    for (let first = 0; first < found.length; first += PORTION) {
      const portion = found.slice(first, first + PORTION).map(async ({ id, next }) => {
        const fields = await this.redis.use((client) => client.hgetall(`${this.base}repeat:${id}`));
        return { id, next, fields };
      });
      schedulers.push(...(await Promise.all(portion)));
    }
    return schedulers;
  }
}

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue, Worker } from 'nestjs-lane/engine';

import { Gate } from '../../support/gate';
import { guardAgainstLeaks } from '../../support/leak-guard';
import { completion, leaseOf } from '../../support/outcomes';
import { useRedis } from '../../support/redis/own-server';
import { waitUntil } from '../../support/wait-until';

const inRedis = useRedis({ config: ['replica-serve-stale-data yes', 'replica-read-only yes'] });
guardAgainstLeaks();

/** A primary that never answers, so that its replica keeps what it has. */
let primary: Server;
const replicas = new Set<Socket>();

beforeAll(async () => {
  primary = createServer((socket) => {
    replicas.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => replicas.delete(socket))
      .resume();
  }).listen(0, '127.0.0.1');
  await once(primary, 'listening');
});

afterEach(() => becomePrimary());

afterAll(async () => {
  replicas.forEach((socket) => socket.destroy());
  await new Promise((resolve) => primary.close(resolve));
});

async function becomeReplica(): Promise<void> {
  await inRedis.client.replicaof('127.0.0.1', (primary.address() as AddressInfo).port);
}

async function becomePrimary(): Promise<void> {
  await inRedis.client.replicaof('NO', 'ONE');
  await waitUntil(() => replicas.size === 0, { reason: 'the replica has left' });
}

describe('a call to a read-only replica', () => {
  it('changes nothing, and can be made again once the server takes writes', async () => {
    const user = inRedis.open();
    await user.addIds('a', 'b');
    const claim = await user.claim(1);
    const call = await user.nextCall('w1');
    const outcomes = [completion(leaseOf(claim))];
    const before = await inRedis.stored().dump();
    await becomeReplica();

    await expect(user.settleWith(call, outcomes, 1)).rejects.toMatchObject({
      code: 'LANE_STORE_READ_ONLY',
      message: expect.stringMatching(/^Redis at 127\.0\.0\.1:\d+ takes no writes: it is a read-only replica/),
    });

    expect(await inRedis.stored().dump()).toEqual(before);
    await becomePrimary();
    const again = await waitUntil(() => user.settleWith(call, outcomes, 1).catch(() => undefined), {
      reason: 'there is a new connection',
    });
    expect(again).toMatchObject({ refusals: [null], claim: { jobs: [{ id: 'b' }] } });
  });

  it('is made on a new connection the next time: the name may lead to another server', async () => {
    const user = inRedis.open();
    await user.add({});
    const nameOf = async () =>
      /id=(\d+) .*cmd=evalsha/.exec((await inRedis.client.client('LIST')) as string)?.[1];
    const first = await nameOf();
    await becomeReplica();
    await expect(user.add({})).rejects.toMatchObject({ code: 'LANE_STORE_READ_ONLY' });
    await becomePrimary();
    await waitUntil(() => user.add({}).catch(() => undefined), { reason: 'there is a new connection' });

    expect(first).toBeDefined();
    expect(await nameOf()).not.toBe(first);
  });
});

describe('a worker and a queue while the server is a read-only replica', () => {
  it('go on when it takes writes again', async () => {
    const backend = inRedis.backend();
    const queue = new Queue('mail', { backend });
    const gate = new Gate();
    const errors: Error[] = [];
    const completed: string[] = [];
    const worker = new Worker('mail', (job) => gate.enter(job), { backend });
    worker.on('error', (error) => errors.push(error));
    worker.on('completed', (job) => completed.push(job.id));
    await queue.add('send', {}, { jobId: 'first' });
    await waitUntil(() => gate.running === 1, { reason: 'the handler runs' });
    await becomeReplica();
    gate.open();
    await waitUntil(() => errors.some(({ message }) => /read-only replica/.test(message)), {
      reason: 'the worker was refused',
    });

    const added = queue.add('send', {}, { jobId: 'second' });
    await becomePrimary();

    expect((await added).id).toBe('second');
    await waitUntil(() => completed.length === 2, { reason: 'both jobs are completed' });
    expect(completed).toEqual(['first', 'second']);
    expect(gate.started).toEqual(['first', 'second']);
    expect(errors).toContainEqual(expect.objectContaining({ code: 'LANE_STORE_READ_ONLY' }));
    await worker.close();
    await queue.close();
  });
});

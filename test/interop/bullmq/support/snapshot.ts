import type { CommonGround } from './common-ground';

/** What a namespace holds, without what differs from run to run. Compared as a whole. */
export type Snapshot = Record<string, unknown>;

/** Wake-up signals, marks of a sweep and our own keys: nobody's result depends on what they hold in the end. */
const ignoredKeys = /:(?:marker|stalled|stalled-check|ln:[^:]*)$/;
const timeFields = new Set(['timestamp', 'processedOn', 'finishedOn', 'prevMillis', 'startDate', 'endDate']);
const jsonFields = new Set(['data', 'opts', 'parent', 'progress', 'returnvalue', 'pd']);
/** Order says nothing: ends of the same millisecond have the order of their ids with BullMQ. */
const unorderedSets = /:(?:completed|failed|unsuccessful|waiting-children)$/;
/** Who was faster says something about the run, not about the result. */
/** Told in own words by each party. */
const refusedParent = /pending dependencies|at least one failed child|children that/;
const passingEvents = new Set(['drained']);

/**
 * Reads a namespace: every key with its type, whether it expires, and its content.
 *
 * Masked: the prefix, times (those in the ids of iterations by their rank), tokens, what follows the first line of a
 * stack, the version. Events come as one list a job.
 */
export async function snapshotOf(ground: CommonGround): Promise<Snapshot> {
  const keys = (await ground.keys()).filter((key) => !ignoredKeys.test(key)).sort();
  const entries = await Promise.all(keys.map(async (key) => [key, await read(ground, key)] as const));
  const raw = JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
  return JSON.parse(maskSlots(raw.replaceAll(ground.prefix, 'q'))) as Snapshot;
}

/** A time in the id of an iteration, by its rank among the times of its scheduler. */
function maskSlots(text: string): string {
  const slot = /(repeat:[^:"]+:)(\d{13})/g;
  const times = new Map<string, Set<string>>();
  for (const [, scheduler, time] of text.matchAll(slot)) {
    times.set(scheduler!, (times.get(scheduler!) ?? new Set()).add(time!));
  }
  const ranks = new Map<string, number>();
  for (const [scheduler, slots] of times) {
    [...slots].sort().forEach((time, index) => ranks.set(scheduler + time, index + 1));
  }
  return text.replace(
    slot,
    (_, scheduler: string, time: string) => `${scheduler}#${ranks.get(scheduler + time)}`,
  );
}

async function read(ground: CommonGround, key: string): Promise<unknown> {
  const { redis } = ground;
  const type = await redis.type(key);
  const content = await contentOf(ground, key, type);
  if (type === 'none' || content === undefined) {
    return undefined;
  }
  return { type, ...((await redis.pttl(key)) >= 0 && { expires: true }), content };
}

async function contentOf({ redis }: CommonGround, key: string, type: string): Promise<unknown> {
  switch (type) {
    case 'string':
      return /:(?:lock|limiter)$/.test(key) ? '<masked>' : await redis.get(key);
    case 'list': {
      const items = await redis.lrange(key, 0, -1);
      return key.endsWith(':logs') ? items.length : items;
    }
    case 'set':
      return (await redis.smembers(key)).sort();
    case 'zset': {
      const members = await redis.zrange(key, '0', '-1', 'WITHSCORES');
      const ids = members.filter((_, index) => index % 2 === 0);
      if (key.endsWith(':prioritized')) {
        return members;
      }
      return unorderedSets.test(key) ? ids.sort() : ids;
    }
    case 'hash':
      return hashContent(key, await redis.hgetall(key));
    case 'stream':
      return eventsByJob(await redis.xrange(key, '-', '+'));
    default:
      return undefined;
  }
}

function hashContent(key: string, hash: Record<string, string>): unknown {
  if (key.endsWith(':processed')) {
    return Object.fromEntries(
      Object.entries(hash).map(([child, value]) => [child, JSON.parse(value) as unknown]),
    );
  }
  if (/:failed$/.test(key)) {
    return Object.fromEntries(
      Object.entries(hash).map(([child, reason]) => [child, fieldContent('failedReason', reason)]),
    );
  }
  if (key.endsWith(':meta') && Object.keys(hash).every((field) => field === 'opts.maxLenEvents')) {
    // Written by whoever happens to need it first.
    return undefined;
  }
  // `nrjid` is what v5 notes for itself about the next iteration; v6 and we do not.
  const fields = Object.entries(hash).filter(([field]) => !field.startsWith('ln:') && field !== 'nrjid');
  const content = Object.fromEntries(fields.map(([field, value]) => [field, fieldContent(field, value)]));
  if (content.rjk !== undefined) {
    content.delay = '<until its slot>';
  }
  return content;
}

function fieldContent(field: string, value: string): unknown {
  if (timeFields.has(field)) {
    return '<time>';
  }
  if (field === 'version') {
    return value.split(':')[0];
  }
  if (field === 'stacktrace') {
    return (JSON.parse(value) as string[]).map((stack) =>
      fieldContent('failedReason', stack.split('\n')[0]!),
    );
  }
  if (field === 'offset') {
    return '<offset>';
  }
  if (field === 'failedReason' && refusedParent.test(value)) {
    return '<a parent whose children are not done>';
  }
  return jsonFields.has(field) ? plain(JSON.parse(value)) : value;
}

/** Without times at any depth of stored options, and the delay of an iteration, which is what is left until its slot. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  const isIteration = 'repeatJobKey' in value;
  if ('attempts' in value && value.attempts === 0) {
    // BullMQ writes it where nothing was given; it means what its absence means.
    delete value.attempts;
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]: [string, unknown]): [string, unknown] => [
        name,
        timeFields.has(name) || (isIteration && name === 'delay') ? '<time>' : plain(inner),
      ])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function eventsByJob(entries: [id: string, fields: string[]][]): unknown {
  const byJob: Record<string, string[]> = {};
  for (const [, fields] of entries) {
    const event = Object.fromEntries(
      fields.flatMap((field, index) => (index % 2 === 0 ? [[field, fields[index + 1]!]] : [])),
    ) as Record<string, string>;
    if (passingEvents.has(event.event!)) {
      continue;
    }
    if (event.delay !== undefined) {
      event.delay = '<time>';
    }
    if (event.failedReason !== undefined) {
      event.failedReason = fieldContent('failedReason', event.failedReason) as string;
    }
    if (/^repeat:/.test(event.jobId ?? '')) {
      // Whether an iteration was due already when it was planned is up to the moment.
      if (event.event === 'delayed') {
        continue;
      }
      if (event.prev === 'delayed') {
        delete event.prev;
      }
    }
    (byJob[event.jobId ?? ''] ??= []).push(
      Object.entries(event)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    );
  }
  return byJob;
}

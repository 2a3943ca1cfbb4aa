import type { HeldJob } from './held-jobs';

/**
 * What keeps queues busy, as a table.
 *
 * @param before - how many runs of each kind of job there were at the beginning, by the key of `jobKind`
 * @param after - and how many there are now
 * @param held - jobs that run now
 * @param ready - jobs that could run now
 *
 * @internal
 */
export function busyTable(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  held: readonly HeldJob[],
  ready: readonly { readonly queue: string; readonly names: readonly string[] }[],
): string {
  const rows = new Map<string, { ran: number; running: string[]; ready: number }>();
  const row = (key: string): { ran: number; running: string[]; ready: number } => {
    const found = rows.get(key) ?? { ran: 0, running: [], ready: 0 };
    rows.set(key, found);
    return found;
  };
  held.forEach(({ place, name, id, attempt }) =>
    row(jobKind(place.queue, name)).running.push(`id ${id}, attempt ${attempt}`),
  );
  ready.forEach(({ queue, names }) => names.forEach((name) => (row(jobKind(queue, name)).ready += 1)));
  for (const [key, found] of rows) {
    found.ran = (after.get(key) ?? 0) - (before.get(key) ?? 0);
  }
  const lines = [...rows].map(([key, { ran, running, ready }]) => [
    ...(JSON.parse(key) as [string, string]),
    String(ran),
    running.length === 0 ? '-' : running.slice(0, 3).join('; ') + (running.length > 3 ? '; …' : ''),
    String(ready),
  ]);
  return layOut([['queue', 'job', 'runs begun', 'running', 'ready'], ...lines]);
}

/**
 * The key of the jobs of one queue and name.
 *
 * @internal
 */
export function jobKind(queue: string, name: string): string {
  return JSON.stringify([queue, name]);
}

function layOut(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd())
    .join('\n');
}

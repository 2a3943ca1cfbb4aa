/** Keeps the score of the jobs of a campaign; each counts once, however often its end is reported. */
export class Tally {
  readonly total: number;
  /** Jobs that have not ended yet. */
  readonly pending: Set<string>;
  sent = 0;
  /** Those of the sent that took more than one attempt. */
  retried = 0;
  alreadySent = 0;
  failed = 0;
  /** How many messages failed for which reason. */
  readonly failures = new Map<string, number>();

  constructor(jobIds: Iterable<string>) {
    this.pending = new Set(jobIds);
    this.total = this.pending.size;
  }

  countSent(jobId: string, attempts: number): void {
    if (!this.pending.delete(jobId)) return;
    this.sent += 1;
    if (attempts > 1) this.retried += 1;
  }

  countAlreadySent(jobId: string): void {
    if (!this.pending.delete(jobId)) return;
    this.alreadySent += 1;
  }

  countFailed(jobId: string, reason: string): void {
    if (!this.pending.delete(jobId)) return;
    this.failed += 1;
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1);
  }
}

import { Injectable } from '@nestjs/common';
import { Presets, SingleBar } from 'cli-progress';

import type { Tally } from './tally';

/** A progress bar on the standard error; where that is no terminal, a line now and then. */
@Injectable()
export class ProgressDisplay {
  private readonly bar = new SingleBar(
    {
      format: '{bar} {percentage}% | {value} of {total} | {retried} retried | {failed} failed',
      noTTYOutput: true,
      notTTYSchedule: 1_000,
      hideCursor: true,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  private tally: Tally | undefined;

  start(tally: Tally): void {
    if (tally.total === 0) return;
    this.tally = tally;
    this.bar.start(tally.total, 0, tally);
  }

  update(): void {
    if (!this.tally) return;
    this.bar.update(this.tally.total - this.tally.pending.size, this.tally);
  }

  /** Leaves the last state on the screen, and the line to others. */
  stop(): void {
    if (!this.tally) return;
    this.update();
    this.tally = undefined;
    this.bar.stop();
  }
}

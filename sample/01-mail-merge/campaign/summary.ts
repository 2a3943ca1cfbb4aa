import { basename } from 'node:path';

import { SKIP_REASONS } from '../recipients/recipient';
import type { Options } from '../options';
import type { Campaign } from './campaign.planner';
import type { Tally } from './tally';

/** What became of a campaign. */
export interface Summary extends Pick<Campaign, 'list' | 'alreadySent' | 'missingColumns'> {
  tally: Tally;
  seconds: number;
}

/** Line numbers shown for rows that were left out. */
const LINES_SHOWN = 5;

/** The report at the end of a run. */
export function formatSummary(summary: Summary, { file, out }: Options): string {
  const { list, tally, missingColumns, seconds } = summary;
  const skipped = SKIP_REASONS.map((reason) => ({ reason, lines: list.skipped[reason] }));
  const skippedCount = skipped.reduce((sum, { lines }) => sum + lines.length, 0);
  const left = tally.pending.size;
  const rate = Math.round((tally.sent + tally.failed) / seconds);
  return [
    '',
    row('recipients', list.recipients.length + skippedCount, basename(file)),
    row('sent', tally.sent),
    row('already sent', summary.alreadySent + tally.alreadySent, '--fresh sends them again'),
    row('skipped', skippedCount),
    ...skipped.map(({ reason, lines }) => row(`  ${reason}`, lines.length, showLines(lines))),
    row('retried', tally.retried, 'sent at a second or later attempt'),
    row('failed', tally.failed),
    ...[...tally.failures].map(([reason, count]) => row('', count, reason)),
    ...(left > 0 ? [row('left', left, 'run the same command again to go on')] : []),
    '',
    `${rate} jobs a second, ${seconds.toFixed(1)} s. The messages are in ${out}`,
    ...missingColumns.map(
      (name) => `Note: the template asks for {{${name}}}, which is no column of the file.`,
    ),
    '',
  ].join('\n');
}

function row(label: string, count: number, remark = ''): string {
  const remarkShown = remark && count > 0 ? `  ${remark}` : '';
  return `${label.padEnd(20)} ${String(count).padStart(7)}${remarkShown}`;
}

function showLines(lines: number[]): string {
  const shown = lines.slice(0, LINES_SHOWN).join(', ');
  const more = lines.length - LINES_SHOWN;
  return `line${lines.length > 1 ? 's' : ''} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

import { OPERATIONS, type OperationName, type OperationSpec } from '../../contract/operations';
import { Refusal } from '../../contract/refusal';
import { areaOf, type ConformanceCase, type ContractCase, type Coverage } from './conformance-case';
import type { ConformanceReport } from './run-conformance';
import type { ConformanceHarness } from './conformance-harness';

/**
 * What the suite lacks of what the contract lists: for each operation a case of success, one per refusal, one per
 * event, one on a closed handle, and for numbered ones the three of their numbers. Two cases of one area must not
 * have one title.
 *
 * @returns a sentence per gap
 *
 * @public
 */
export function suiteGaps(cases: readonly ConformanceCase[]): string[] {
  const gaps: string[] = [];
  for (const [operation, spec] of Object.entries(OPERATIONS) as [OperationName, OperationSpec][]) {
    const ofOperation = cases.filter(
      (each): each is ContractCase => 'operation' in each && each.operation === operation,
    );
    for (const coverage of requiredOf(operation, spec)) {
      if (!ofOperation.some((each) => each.covers.includes(coverage))) {
        gaps.push(`${operation} has no case that covers ${coverage}.`);
      }
    }
  }
  return [...gaps, ...repeatedTitles(cases)];
}

/**
 * What a report lacks: cases that failed, cases that were skipped without a capability that the backend declares
 * not to have, and cases that are in it not at all.
 *
 * @returns a sentence per gap
 *
 * @public
 */
export function reportGaps(
  report: ConformanceReport,
  harness: ConformanceHarness,
  cases: readonly ConformanceCase[],
): string[] {
  const { backend } = report;
  const gaps = report.failed.map(
    ({ conformanceCase, error }) => `${backend}: ${nameOf(conformanceCase)} failed: ${String(error)}`,
  );
  for (const { conformanceCase, capability } of report.skipped) {
    if (conformanceCase.requires !== capability || harness.capabilities[capability] !== false) {
      gaps.push(`${backend}: ${nameOf(conformanceCase)} was skipped, which no capability explains.`);
    }
  }
  const accounted = new Set([
    ...report.passed,
    ...report.failed.map((each) => each.conformanceCase),
    ...report.skipped.map((each) => each.conformanceCase),
  ]);
  const missing = cases.filter((each) => !accounted.has(each));
  return [...gaps, ...missing.map((each) => `${backend}: ${nameOf(each)} was not run.`)];
}

/**
 * A table of what every backend passed and skipped, by area.
 *
 * @public
 */
export function ledgerTable(reports: readonly ConformanceReport[]): string {
  const areas = new Set(reports.flatMap((report) => casesOf(report).map(areaOf)));
  const rows = [...areas].map((area) => [area, ...reports.map((report) => cell(report, area))]);
  const total = ['all', ...reports.map((report) => cell(report))];
  return alignColumns([['area', ...reports.map((report) => report.backend)], ...rows, total]);
}

function requiredOf(operation: OperationName, spec: OperationSpec): Coverage[] {
  return [
    'success',
    ...spec.refusals.map((refusal): Coverage => `refusal:${Refusal[refusal] as keyof typeof Refusal}`),
    ...spec.events.map((event): Coverage => `event:${event}`),
    ...(spec.mutating ? (['replay', 'stale-number', 'expired-call'] as const) : []),
    ...(operation === 'close' ? [] : (['closed-handle'] as const)),
  ];
}

function repeatedTitles(cases: readonly ConformanceCase[]): string[] {
  const names = cases.map(nameOf);
  return names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => `Two cases are called ${name}.`);
}

function nameOf(conformanceCase: ConformanceCase): string {
  return `"${areaOf(conformanceCase)}: ${conformanceCase.title}"`;
}

function casesOf({ passed, failed, skipped }: ConformanceReport): ConformanceCase[] {
  return [...passed, ...[...failed, ...skipped].map((each) => each.conformanceCase)];
}

/** @param area - default: all areas */
function cell({ passed, failed, skipped }: ConformanceReport, area?: string): string {
  const isMeant = (conformanceCase: ConformanceCase): boolean =>
    area === undefined || areaOf(conformanceCase) === area;
  const parts = [`${passed.filter(isMeant).length} passed`];
  const failures = failed.filter((each) => isMeant(each.conformanceCase)).length;
  if (failures > 0) {
    parts.push(`${failures} failed`);
  }
  const skips = skipped.filter((each) => isMeant(each.conformanceCase));
  for (const capability of new Set(skips.map((each) => each.capability))) {
    parts.push(`${skips.filter((each) => each.capability === capability).length} skipped: not ${capability}`);
  }
  return parts.join(', ');
}

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

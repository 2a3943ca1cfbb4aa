import { InvalidLabelError } from './errors/invalid-label.error';

/**
 * A metric with its samples, each a number with labels of its own.
 *
 * @internal
 */
export interface PrometheusMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Writes metrics in the text format of Prometheus.
 *
 * @param labels - for every sample, besides its own
 * @throws InvalidLabelError for a label whose name is none, or is taken by a metric
 *
 * @internal
 */
export function prometheusText(
  metrics: readonly PrometheusMetric[],
  labels: Readonly<Record<string, string>>,
): string {
  const own = new Set(
    metrics.flatMap(({ samples }) => samples.flatMap((sample) => Object.keys(sample.labels))),
  );
  for (const name of Object.keys(labels)) {
    if (!LABEL_NAME.test(name) || name.startsWith('__')) {
      throw new InvalidLabelError(name, 'names begin with a letter and have letters, digits and "_"');
    }
    if (own.has(name)) {
      throw new InvalidLabelError(name, 'the metrics have a label of that name');
    }
  }
  const lines = metrics.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map((sample) => `${name}{${labelsText({ ...sample.labels, ...labels })}} ${sample.value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(', ');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

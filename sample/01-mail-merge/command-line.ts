import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { BadInputError } from './bad-input.error';
import type { Options } from './options';

export const HELP = `Usage: npm start -- [recipients.csv] [options]

Writes a personal message to every recipient of a CSV file, one .eml file each.
Without a file it takes the one that comes with the sample.

Options:
  --template <file>      what to write           (default: the bundled one)
  --out <folder>         where the messages go   (default: outbox)
  --concurrency <n>      messages sent at once   (default: 10)
  --fresh                send again to those who have their message already
  --failure-rate <0..1>  share of the attempts that the pretended mail
                         server turns away       (default: 0.05)
  --latency <ms>         its time for a message  (default: 25)
  --seed <text>          which attempts it turns away
  --help                 this text

Environment:
  LANE_URL               where the queue lives, such as
                         redis://127.0.0.1:6379  (default: memory:)

Exit code: 0 all sent, 1 a message failed, 2 bad input, 130 stopped by Ctrl-C.
`;

/**
 * Reads the command line.
 *
 * @returns what to do, or `undefined` when the person only asks for help
 */
export function readCommandLine(args: string[], env: NodeJS.ProcessEnv): Options | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  if (positionals.length > 1) {
    throw new BadInputError(`one recipients file at a time, not ${positionals.length}`);
  }

  // npm runs scripts at the root of the package, wherever they were called; paths are meant from there.
  const folder = (env.npm_lifecycle_event === 'start' && env.INIT_CWD) || process.cwd();
  const bundled = join(__dirname, 'data');
  return {
    file: resolve(folder, positionals[0] ?? join(bundled, 'recipients.csv')),
    template: resolve(folder, values.template ?? join(bundled, 'template.txt')),
    out: resolve(folder, values.out),
    concurrency: numberIn('concurrency', values.concurrency, 1, 1000, 'a whole number'),
    fresh: values.fresh,
    seed: values.seed,
    failureRate: numberIn('failure-rate', values['failure-rate'], 0, 1),
    latency: numberIn('latency', values.latency, 0, 60_000, 'a whole number'),
    backend: env.LANE_URL ?? 'memory:',
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        template: { type: 'string' },
        out: { type: 'string', default: 'outbox' },
        concurrency: { type: 'string', default: '10' },
        fresh: { type: 'boolean', default: false },
        seed: { type: 'string', default: 'lane' },
        'failure-rate': { type: 'string', default: '0.05' },
        latency: { type: 'string', default: '25' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    // Node explains at length; the first sentence says what is wrong.
    const [problem] = (error as Error).message.split(/\.\s/);
    throw new BadInputError(`${problem} (--help lists the options)`, { cause: error });
  }
}

function numberIn(option: string, text: string, min: number, max: number, kind?: 'a whole number'): number {
  const number = text.trim() === '' ? NaN : Number(text);
  if (!(number >= min && number <= max) || (kind && !Number.isInteger(number))) {
    throw new BadInputError(`--${option} is ${kind ?? 'a number'} from ${min} to ${max}, not "${text}"`);
  }
  return number;
}

import { describe, expect, it } from '@jest/globals';

import { InvalidLabelError } from '../../../lib/model/errors/invalid-label.error';
import { prometheusText } from '../../../lib/model/prometheus-text';

const metric = (labels: Record<string, string>) =>
  ({ name: 'jobs', help: 'Jobs', type: 'gauge', samples: [{ labels, value: 5 }] }) as const;

describe('prometheusText', () => {
  it('writes metrics with their labels, and ends the last line', () => {
    expect(prometheusText([metric({ queue: 'email', state: 'waiting' })], { env: 'prod' })).toBe(
      '# HELP jobs Jobs\n# TYPE jobs gauge\njobs{queue="email", state="waiting", env="prod"} 5\n',
    );
  });

  it('escapes what would end a value', () => {
    expect(prometheusText([metric({ queue: 'a"b' })], { path: 'c:\\new\nline"} 1' })).toContain(
      'jobs{queue="a\\"b", path="c:\\\\new\\nline\\"} 1"} 5\n',
    );
  });

  it.each(['', 'a-b', '1a', 'a b', 'é', '__name__', 'a"} 1', 'queue'])('refuses the label %p', (name) => {
    expect(() => prometheusText([metric({ queue: 'email' })], { [name]: 'x' })).toThrow(InvalidLabelError);
  });
});

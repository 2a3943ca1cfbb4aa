import { describe, expect, it } from '@jest/globals';

import { issuesOfSchema, issuesOfThrown } from '../../../lib/model/validation-issues';

class HttpException extends Error {
  constructor(private readonly response: unknown) {
    super('Bad Request Exception');
  }

  getResponse(): unknown {
    return this.response;
  }
}

describe('issuesOfSchema', () => {
  it('joins paths, whatever their segments', () => {
    expect(
      issuesOfSchema([
        { message: 'Required', path: ['items', 0, { key: 'price' }] },
        { message: 'no object', path: undefined },
        { message: 'odd', path: [Symbol('s')] },
      ]),
    ).toEqual([
      { path: 'items.0.price', message: 'Required' },
      { path: '', message: 'no object' },
      { path: 'Symbol(s)', message: 'odd' },
    ]);
  });

  it.each([
    [{ message: 'Expected string but received 5', received: '5' }, 'Expected string but received …'],
    [{ message: 'must be a string (was 5)', actual: '5' }, 'must be a string (was …)'],
    [{ message: 'at least 5, received 5', received: '5' }, 'at least 5, received …'],
    [{ message: 'Required', received: 'undefined' }, 'Required'],
    [{ message: 'Required', received: '' }, 'Required'],
  ])('leaves out the value that a validator names: %p', (issue, message) => {
    expect(issuesOfSchema([issue])).toEqual([{ path: '', message }]);
  });
});

describe('issuesOfThrown', () => {
  it.each([
    [new HttpException({ message: ['to must be an email', 7] }), [['', 'to must be an email']]],
    [new HttpException({ message: 'numeric string is expected' }), [['', 'numeric string is expected']]],
    [new HttpException('no'), [['', 'no']]],
    [
      new HttpException({ message: { to: ['must be an email', 'is long'], 'cc.0': ['is long'] } }),
      [
        ['to', 'must be an email'],
        ['to', 'is long'],
        ['cc.0', 'is long'],
      ],
    ],
    [new HttpException({ message: [] }), [['', 'Bad Request Exception']]],
    [new HttpException(undefined), [['', 'Bad Request Exception']]],
    [
      Object.assign(new Error('x'), { issues: [{ message: 'Required', path: ['to'] }] }),
      [['to', 'Required']],
    ],
    [Object.assign(new Error('x'), { issues: ['Required'] }), [['', 'x']]],
    [new Error('not a date'), [['', 'not a date']]],
    ['a text', [['', 'it was refused']]],
    [undefined, [['', 'it was refused']]],
  ])('reads %p', (thrown, issues) => {
    expect(issuesOfThrown(thrown)).toEqual(issues.map(([path, message]) => ({ path, message })));
  });

  it('bears what cannot be read', () => {
    const hostile = new Proxy(new Error('no'), {
      get: () => {
        throw new Error('hands off');
      },
    });
    expect(issuesOfThrown(hostile)).toEqual([{ path: '', message: 'it was refused' }]);
  });
});

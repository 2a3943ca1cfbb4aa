import { describe, expect, it } from '@jest/globals';

import { command, include, problemsOf, problemsOfCommand } from './lua-files';

const numbered = 'now caller channel sequence notAfter';

describe('The head of a command', () => {
  it('is accepted when it says everything', () => {
    expect(problemsOfCommand({})).toEqual([]);
  });

  it.each([
    ['keys', 'The head has no @keys.'],
    ['args', 'The head has no @args.'],
    ['result', 'The head has no @result.'],
    ['refusals', 'The head has no @refusals.'],
    ['events', 'The head has no @events.'],
    ['bound', 'The head has no @bound.'],
  ])('needs @%s', (tag, message) => {
    expect(problemsOfCommand({ tags: { [tag]: undefined } })).toEqual([
      `lua/commands/count-jobs.lua:1: ${message}`,
    ]);
  });

  it.each([
    { tags: { keys: 'wait' }, line: 3, message: '@keys has to be base, and is wait.' },
    { tags: { keys: 'base wait' }, line: 3, message: '@keys has to be base, and is base wait.' },
    { tags: { result: '' }, line: 5, message: '@result is empty.' },
    { tags: { refusals: '' }, line: 6, message: '@refusals is empty.' },
    { tags: { refusals: 'a b a' }, line: 6, message: '@refusals holds a twice.' },
    { tags: { events: 'none added' }, line: 7, message: '@events holds none besides other names.' },
    {
      tags: { events: 'added lost' },
      line: 7,
      message: 'lost is not an event: added, deduplicated, duplicated, waiting-children.',
    },
    {
      tags: { author: 'somebody' },
      line: 9,
      message:
        '@author is not a tag of a command: @keys, @args, @each, @result, @refusals, @events, @bound, @numbered.',
    },
    {
      tags: { refusals: 'a\nb' },
      line: 7,
      message: '@refusals cannot go on without a tag: repeat @refusals.',
    },
    {
      tags: { numbered: '' },
      line: 9,
      message: `@numbered: @args has to begin with ${numbered}, by which a repeated call is known.`,
    },
    { tags: { each: 'job-id' }, line: 9, message: '@each holds job-id, which is no name of a variable.' },
  ])('says in which line it is wrong: $message', ({ tags, line, message }) => {
    expect(problemsOfCommand({ tags })).toContain(`lua/commands/count-jobs.lua:${line}: ${message}`);
  });

  it('takes nothing behind @numbered', () => {
    const tags = { args: numbered, numbered: 'always' };
    const first = `local ${numbered.replaceAll(' ', ', ')} = unpack(ARGV, 1, 5)`;
    expect(problemsOfCommand({ tags, first, code: '' })).toEqual([
      'lua/commands/count-jobs.lua:9: @numbered stands alone.',
    ]);
  });

  it('knows the events of the model, and those that only jobs of BullMQ cause', () => {
    expect(problemsOfCommand({ tags: { events: 'added deduplicated duplicated waiting-children' } })).toEqual(
      [],
    );
  });

  it('goes on in a repeated tag, a text also without one', () => {
    const tags = { args: 'a\n@args b', result: 'a number\n  of jobs' };
    expect(problemsOfCommand({ tags, first: 'local a, b = unpack(ARGV, 1, 2)', code: '' })).toEqual([]);
  });

  it('says what the command does', () => {
    expect(problemsOf({ 'commands/count-jobs': command().replace('Counts jobs.', '') })).toEqual([
      'lua/commands/count-jobs.lua:1: The head does not say what the command is for.',
    ]);
  });
});

describe('The head of an include', () => {
  const user = { 'commands/a': command({ includes: ['keys'], code: 'return A' }) };

  it('says what it holds, and may say what it writes', () => {
    const text = '--[[\nHelps.\n\n@writes wait ln:c\n]]\nlocal A = 1\n';
    expect(problemsOf({ 'includes/keys': text, ...user })).toEqual([]);
  });

  it.each([
    {
      head: '',
      messages: ['lua/includes/keys.lua:1: The file has to begin with a head: a comment --[[ ... ]].'],
    },
    {
      head: '-- Helps.\n',
      messages: ['lua/includes/keys.lua:1: The file has to begin with a head: a comment --[[ ... ]].'],
    },
    {
      head: '--[[ ]]\n',
      messages: ['lua/includes/keys.lua:1: The head does not say what the include is for.'],
    },
    {
      head: '--[[ Helps.\n@bound none\n]]\n',
      messages: ['lua/includes/keys.lua:2: @bound is not a tag of an include: @writes, @rare.'],
    },
  ])('is not $head', ({ head, messages }) => {
    expect(problemsOf({ 'includes/keys': `${head}local A = 1\n` })).toEqual(messages);
  });

  it('is one block comment, whatever comes behind it', () => {
    const text = include('-- @other is no tag here\nlocal A = 1');
    expect(problemsOf({ 'includes/keys': text, ...user })).toEqual([]);
  });
});

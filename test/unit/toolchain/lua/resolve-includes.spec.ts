import { describe, expect, it } from '@jest/globals';

import { command, include, problemsOf } from './lua-files';

describe('Includes', () => {
  it.each<{ wrong: string; files: Record<string, string>; message: string }>([
    {
      wrong: 'one that does not exist',
      files: { 'commands/a': command({ includes: ['jobs/store'] }) },
      message: 'lua/commands/a.lua:10: There is no include jobs/store.',
    },
    {
      wrong: 'one of which nothing is used',
      files: { 'commands/a': command({ includes: ['keys'] }), 'includes/keys': include('local A = 1') },
      message: 'lua/commands/a.lua:10: Nothing of the include keys is used.',
    },
    {
      wrong: 'one whose names are hidden by parameters',
      files: {
        'commands/a': command({
          includes: ['keys'],
          code: 'local function f(A) return A end\nreturn f(state)',
        }),
        'includes/keys': include('local A = 1'),
      },
      message: 'lua/commands/a.lua:10: Nothing of the include keys is used.',
    },
    {
      wrong: 'one twice',
      files: {
        'commands/a': command({ includes: ['keys', 'keys'], code: 'return A' }),
        'includes/keys': include('local A = 1'),
      },
      message: 'lua/commands/a.lua:11: keys is included twice.',
    },
    {
      wrong: 'two in one line',
      files: { 'commands/a': command({ includes: ['keys jobs'] }) },
      message: 'lua/commands/a.lua:10: @include names one file: -- @include jobs/store',
    },
    {
      wrong: 'one behind code',
      files: {
        'commands/a': command({ code: '-- @include keys\nreturn state' }),
        'includes/keys': include('local A = 1'),
      },
      message: 'lua/commands/a.lua:11: @include keys has to stand before the first statement.',
    },
    {
      wrong: 'none for a name that is used',
      files: { 'commands/a': command({ code: 'return A' }), 'includes/keys': include('local A = 1') },
      message: 'lua/commands/a.lua:11: A belongs to an include that is not declared: -- @include keys',
    },
    {
      wrong: 'one for a name only by way of another include',
      files: {
        'commands/a': command({ includes: ['jobs'], code: 'return { A, B }' }),
        'includes/jobs': include('local B = A', ['keys']),
        'includes/keys': include('local A = 1'),
      },
      message: 'lua/commands/a.lua:12: A belongs to an include that is not declared: -- @include keys',
    },
    {
      wrong: 'a circle',
      files: {
        'includes/a': include('local function a() return b() end', ['b']),
        'includes/b': include('local function b() return c() end', ['c']),
        'includes/c': include('local function c() return a() end', ['a']),
      },
      message: 'lua/includes/c.lua:4: Includes in a circle: a -> b -> c -> a.',
    },
    {
      wrong: 'one that includes itself',
      files: { 'includes/a': include('local function a() return a() end', ['a']) },
      message: 'lua/includes/a.lua:4: Includes in a circle: a -> a.',
    },
    {
      wrong: 'two with the same name in them',
      files: { 'includes/a': include('local A = 1'), 'includes/b': include('local function A() end') },
      message: 'lua/includes/b.lua:4: A is also a name of the include a.',
    },
    {
      wrong: 'one that takes the name of a global',
      files: { 'includes/a': include('local next = 1') },
      message: 'lua/includes/a.lua:4: next is the name of a global.',
    },
  ])('are refused: $wrong', ({ files, message }) => {
    expect(problemsOf(files)).toContain(message);
  });

  it('hold nothing that no command needs, be it by way of others', () => {
    const problems = problemsOf({
      'commands/a': command({ includes: ['a'], code: 'return f()' }),
      'includes/a': include(
        'local A = B\nlocal function f() return A end\nlocal function g() return f() end',
        ['b'],
      ),
      'includes/b': include('local B, C = 1, 2'),
      'includes/c': include('local function h() return h() end'),
    });
    expect(problems).toEqual([
      'lua/includes/a.lua:7: No command uses g: delete it.',
      'lua/includes/b.lua:4: No command uses C: delete it.',
      'lua/includes/c.lua:4: No command uses h: delete it.',
    ]);
  });

  it('are accepted by way of several others', () => {
    const problems = problemsOf({
      'commands/a': command({ includes: ['b', 'a'], code: 'return { A, B }' }),
      'includes/a': include('local A = 1'),
      'includes/b': include('local B = A', ['a']),
    });
    expect(problems).toEqual([]);
  });
});

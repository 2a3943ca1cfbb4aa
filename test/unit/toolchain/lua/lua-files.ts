import { bundle, LuaProblems } from '../../../../scripts/lua/bundle.mjs';

interface Parts {
  tags?: Record<string, string | undefined>;
  includes?: string[];
  first?: string;
  code?: string;
}

/**
 * A command without a fault, where the parts have none. Its tags begin in line 3, the includes in line 10, its code
 * two lines after the head if it has no includes.
 */
export function command({ tags, includes, first, code = 'return state' }: Parts = {}): string {
  const all = {
    keys: 'base',
    args: 'state',
    result: 'a number',
    refusals: 'none',
    events: 'none',
    bound: 'one call',
    ...tags,
  };
  return [
    '--[[\nCounts jobs.',
    ...Object.entries(all).flatMap(([tag, value]) => (value === undefined ? [] : `@${tag} ${value}`.trim())),
    ']]',
    ...(includes ?? []).map((name) => `-- @include ${name}`),
    first ?? 'local state = unpack(ARGV, 1, 1)',
    code,
    '',
  ].join('\n');
}

/** An include, whose code begins in line 4, or in a later one if it includes others. */
export function include(code: string, includes: string[] = []): string {
  return ['--[[\nHelps.\n]]', ...includes.map((name) => `-- @include ${name}`), code, ''].join('\n');
}

/** What the bundler says about files, of which each is named as `commands/count-jobs`. */
export function problemsOf(files: Record<string, string>): string[] {
  try {
    bundle(new Map(Object.entries(files).map(([name, text]) => [`lua/${name}.lua`, text])), ['added']);
    return [];
  } catch (error) {
    if (!(error instanceof LuaProblems)) throw error;
    return error.message.split('\n');
  }
}

/** What the bundler says about a command that has these parts. */
export function problemsOfCommand(parts: Parts): string[] {
  return problemsOf({ 'commands/count-jobs': command(parts) });
}

// What a Lua file may do, beyond being Lua: where names come from, how arguments are read, which commands of Redis
// are called.

import { lineOf } from './read-source.mjs';
import { objectionTo } from './redis-commands.mjs';
import { nodesIn, scopesOf } from './scopes.mjs';

/** @typedef {import('./read-source.mjs').Source} Source */
/** @typedef {import('./scopes.mjs').Scopes} Scopes */
/** @typedef {import('./scopes.mjs').Reference} Reference */
/** @typedef {import('luaparse').Expression} Expression */

/** Lua 5.1 ends at 200 locals in one function; the rest is for the blocks of a command's main chunk. */
export const mostLocals = 180;

/** Where Lua 5.1 ends. */
export const mostUpvalues = 60;

const globals = new Set(
  (
    'KEYS ARGV redis cjson cmsgpack bit struct string table math tonumber tostring type pairs ipairs next select ' +
    'unpack pcall error'
  ).split(' '),
);

/** Events that no job of ours causes, but jobs of BullMQ do. */
const eventsOfBullMq = ['deduplicated', 'duplicated', 'waiting-children'];

/**
 * The include that each top-level name comes from.
 *
 * @param {Iterable<Source>} includes
 * @returns {Map<string, Source>}
 */
export function ownersOfNames(includes) {
  /** @type {Map<string, Source>} */
  const owners = new Map();
  for (const include of includes) {
    for (const { name, line } of declarationsIn(include)) {
      const other = owners.get(name);
      if (globals.has(name)) include.report(line, `${name} is the name of a global.`);
      else if (other) include.report(line, `${name} is also a name of the include ${other.name}.`);
      else owners.set(name, include);
    }
  }
  return owners;
}

/**
 * @param {Source} source
 * @param {Map<string, Source>} owners of the top-level names of all includes
 */
export function checkScript(source, owners) {
  const { kind, chunk, includes, report } = source;
  const outside = [...owners].filter(([, owner]) => includes.some(({ name }) => name === owner.name));
  const scopes = scopesOf(
    chunk,
    outside.map(([name]) => name),
  );
  checkNames(source, scopes, owners);
  checkUseOfIncludes(source, scopes, owners);
  checkRedisCalls(source, scopes);
  for (const { line, upvalues } of scopes.functions) {
    if (upvalues.size > mostUpvalues) {
      const count = `${upvalues.size} variables from outside`;
      report(line, `This function uses ${count}: Lua allows ${mostUpvalues}.`);
    }
  }
  if (kind === 'include') checkIsDeclarations(source);
  else checkArguments(source);
}

/**
 * @param {Source} command
 * @param {readonly string[]} eventNames those of the model
 */
export function checkEvents({ head, report }, eventNames) {
  const known = [...new Set([...eventNames, ...eventsOfBullMq])];
  for (const name of head.events.filter((each) => !known.includes(each))) {
    report(head.lines.get('events') ?? 1, `${name} is not an event: ${known.join(', ')}.`);
  }
}

/**
 * The names of includes are no locals in a script: link-script.mjs makes fields of them.
 *
 * @param {Source} command
 */
export function checkLocals(command) {
  const count = scopesOf(command.chunk).top.length;
  if (count > mostLocals) {
    command.report(1, `It has ${count} top-level locals: ${mostLocals} are allowed.`);
  }
}

/**
 * What no script needs is left out of all of them without a word, so it is refused here.
 *
 * @param {Iterable<Source>} includes
 * @param {ReadonlySet<string>} used top-level names of includes that commands need, by themselves or by way of others
 */
export function checkIsUsed(includes, used) {
  for (const include of includes) {
    for (const { name, line } of declarationsIn(include)) {
      if (!used.has(name)) include.report(line, `No command uses ${name}: delete it.`);
    }
  }
}

/** @param {Source} source */
function declarationsIn({ chunk }) {
  return chunk.body.flatMap((statement) => {
    const line = lineOf(statement);
    if (statement.type === 'LocalStatement') return statement.variables.map(({ name }) => ({ name, line }));
    const isFunction = statement.type === 'FunctionDeclaration' && statement.isLocal;
    const name = isFunction && statement.identifier?.type === 'Identifier' ? statement.identifier.name : '';
    return name === '' ? [] : [{ name, line }];
  });
}

/**
 * @param {Source} source
 * @param {Scopes} scopes
 * @param {Map<string, Source>} owners
 */
function checkNames({ kind, report }, { references, main, top, outside }, owners) {
  const constants = new Set([...outside.values(), ...(kind === 'include' ? top : [])]);
  for (const reference of references) {
    const { node, line, variable, use } = reference;
    const { name } = node;
    if (variable) {
      if (use === 'assigns' && constants.has(variable))
        report(line, `${name} is a constant: do not assign it.`);
      continue;
    }
    const owner = owners.get(name);
    if (use === 'assigns') {
      report(line, `The global ${name} is assigned: write local in front of it.`);
    } else if (use === 'assigns into' && globals.has(name)) {
      report(line, `A field of the global ${name} is assigned.`);
    } else if (owner) {
      report(line, `${name} belongs to an include that is not declared: -- @include ${owner.name}`);
    } else if (!globals.has(name)) {
      report(line, `${name} is neither a local nor a global that Redis offers.`);
    } else if (name === 'KEYS') {
      checkKeys(kind, reference, main, report);
    } else if (name === 'ARGV' && kind === 'include') {
      report(line, 'ARGV is for commands: an include is given its parameters.');
    }
  }
}

/**
 * @param {Source['kind']} kind
 * @param {Reference} reference
 * @param {import('./scopes.mjs').LuaFunction} main
 * @param {import('./read-source.mjs').Report} report
 */
function checkKeys(kind, { line, within, parents }, main, report) {
  const [parent] = parents;
  if (kind === 'include') {
    report(line, 'KEYS is for commands: an include is given its parameters.');
  } else if (within !== main) {
    report(line, 'KEYS is for the main chunk: a function is given its parameters.');
  } else if (parent?.type !== 'IndexExpression' || !isNumber(parent.index, 1)) {
    report(line, 'A command has one key, KEYS[1].');
  }
}

/**
 * @param {Source} source
 * @param {Scopes} scopes
 * @param {Map<string, Source>} owners
 */
function checkUseOfIncludes({ includes, report }, { references, outside }, owners) {
  const known = new Set(owners.values());
  const used = new Set();
  for (const { node, variable } of references) {
    if (variable && outside.get(node.name) === variable) used.add(owners.get(node.name)?.name);
  }
  for (const { name, line } of includes) {
    const exists = [...known].some((owner) => owner.name === name);
    if (exists && !used.has(name)) report(line, `Nothing of the include ${name} is used.`);
  }
}

/**
 * @param {Source} source
 * @param {Scopes} scopes
 */
function checkRedisCalls({ kind, report }, { references, main }) {
  for (const { node, line, variable, within, parents } of references) {
    if (node.name !== 'redis' || variable) continue;
    const [member, call] = parents;
    if (kind === 'include' && within === main) {
      report(line, 'An include uses redis in its functions only.');
    } else if (member?.type !== 'MemberExpression' || member.base !== node) {
      report(line, 'redis has to be used by name, as in redis.call, so that its calls can be checked.');
    } else if (['call', 'pcall'].includes(member.identifier.name)) {
      const command = commandOf(call, member);
      if (command === undefined) {
        report(line, `redis.${member.identifier.name} needs the name of a command, in quotes.`);
      } else {
        const objection = objectionTo(command);
        if (objection) report(line, objection);
      }
    }
  }
}

/**
 * @param {import('luaparse').Node | undefined} call
 * @param {import('luaparse').MemberExpression} callee
 * @returns {string | undefined}
 */
function commandOf(call, callee) {
  if (call?.type !== 'CallExpression' && call?.type !== 'StringCallExpression') return undefined;
  if (call.base !== callee) return undefined;
  const first = call.type === 'CallExpression' ? call.arguments[0] : call.argument;
  return first?.type === 'StringLiteral' ? /^(['"])(\w+)\1$/.exec(first.raw)?.[2] : undefined;
}

/** @param {Source} include */
function checkIsDeclarations({ chunk, report }) {
  for (const statement of chunk.body) {
    const isFunction = statement.type === 'FunctionDeclaration' && statement.isLocal;
    const isConstant = statement.type === 'LocalStatement' && statement.init.length > 0;
    if (!isFunction && !isConstant) {
      report(lineOf(statement), 'An include holds local functions and constants, and nothing else.');
    }
  }
}

/** @param {Source} command */
function checkArguments({ chunk, head, report }) {
  const { args, each, lines } = head;
  const [first] = chunk.body;
  if (lines.has('args') && !readsArguments(first, args)) {
    const line = first ? lineOf(first) : 1;
    report(line, `The first statement has to be: local ${args.join(', ')} = unpack(ARGV, 1, ${args.length})`);
  }
  if (each.length > 0 && !loopsOver(chunk, args.length + 1, each.length)) {
    const loop = `for i = ${args.length + 1}, #ARGV, ${each.length} do`;
    report(lines.get('each') ?? 1, `@each: the fields have to be read in a loop: ${loop}`);
  }
}

/**
 * @param {import('luaparse').Statement | undefined} statement
 * @param {string[]} names
 */
function readsArguments(statement, names) {
  if (statement?.type !== 'LocalStatement' || statement.init.length !== 1) return false;
  const [call] = statement.init;
  if (call?.type !== 'CallExpression' || !isNamed(call.base, 'unpack')) return false;
  const [array, from, to, ...others] = call.arguments;
  return (
    statement.variables.map(({ name }) => name).join() === names.join() &&
    isNamed(array, 'ARGV') &&
    isNumber(from, 1) &&
    isNumber(to, names.length) &&
    others.length === 0
  );
}

/**
 * @param {import('luaparse').Chunk} chunk
 * @param {number} from
 * @param {number} step
 */
function loopsOver(chunk, from, step) {
  return [...nodesIn(chunk.body)].some(
    (node) =>
      node.type === 'ForNumericStatement' &&
      isNumber(node.start, from) &&
      node.end.type === 'UnaryExpression' &&
      node.end.operator === '#' &&
      isNamed(node.end.argument, 'ARGV') &&
      (node.step ? isNumber(node.step, step) : step === 1),
  );
}

/**
 * @param {Expression | undefined} node
 * @param {string} name
 */
function isNamed(node, name) {
  return node?.type === 'Identifier' && node.name === name;
}

/**
 * @param {Expression | undefined} node
 * @param {number} value
 */
function isNumber(node, value) {
  return node?.type === 'NumericLiteral' && node.value === value;
}

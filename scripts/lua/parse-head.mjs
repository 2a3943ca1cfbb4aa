// The head of a Lua file: the comment that it begins with, in which a command says how it is called.

/** @typedef {import('./read-source.mjs').Report} Report */

/**
 * What a command says of itself. Of an include only the text and what it writes are there.
 *
 * @typedef {object} Head
 * @property {string[]} text lines that say what the file does
 * @property {string[]} keys names of KEYS
 * @property {string[]} args names of the leading ARGV
 * @property {string[]} each names of the fields of the group that repeats in the rest of ARGV
 * @property {string[]} result lines on the shape of the reply
 * @property {string[]} refusals
 * @property {string[]} events
 * @property {string[]} bound lines on the limit of the work
 * @property {string[]} writes key families
 * @property {boolean} isNumbered whether it may be repeated under its number
 * @property {boolean} isRare whether most calls do without the include
 * @property {Map<string, number>} lines the first line of each tag
 */

/** What each tag holds: names, or a text that may go on in lines without a tag. */
const tags = {
  command: new Map([
    ['keys', 'names'],
    ['args', 'names'],
    ['each', 'names'],
    ['result', 'text'],
    ['refusals', 'names'],
    ['events', 'names'],
    ['bound', 'text'],
    ['numbered', 'nothing'],
  ]),
  include: new Map([
    ['writes', 'names'],
    ['rare', 'nothing'],
  ]),
};

const required = ['keys', 'args', 'result', 'refusals', 'events', 'bound'];

/** Tags whose names become variables and fields. */
const identifiers = ['keys', 'args', 'each'];

/** What every call that may be repeated begins with. */
const numberedArgs = ['now', 'caller', 'channel', 'sequence', 'notAfter'];

/**
 * @param {'command' | 'include'} kind
 * @param {string} comment as it stands in the file
 * @param {Report} report
 * @returns {Head}
 */
export function parseHead(kind, comment, report) {
  const { text, values, lines } = split(kind, comment, report);
  /** @param {string} tag */
  const valueOf = (tag) => values.get(tag) ?? [];
  /** @param {string} tag */
  const namesOf = (tag) => (valueOf(tag).join() === 'none' ? [] : valueOf(tag));

  const head = {
    text,
    keys: valueOf('keys'),
    args: valueOf('args'),
    each: valueOf('each'),
    result: valueOf('result'),
    refusals: namesOf('refusals'),
    events: namesOf('events'),
    bound: valueOf('bound'),
    writes: valueOf('writes'),
    isNumbered: lines.has('numbered'),
    isRare: lines.has('rare'),
    lines,
  };
  if (comment !== '') check(kind, head, values, report);
  return head;
}

/**
 * @param {'command' | 'include'} kind
 * @param {string} comment
 * @param {Report} report
 */
function split(kind, comment, report) {
  /** @type {string[]} */
  const text = [];
  /** @type {Map<string, string[]>} */
  const values = new Map();
  /** @type {Map<string, number>} */
  const lines = new Map();
  let tag = '';
  const inner = comment.replace(/^--\[=*\[/, '').replace(/\]=*\]$/, '');
  for (const [index, each] of inner.split('\n').entries()) {
    const line = index + 1;
    const content = each.trim();
    const [, name, value = ''] = /^@(\S*)\s*(.*)$/.exec(content) ?? [];
    if (name !== undefined) {
      tag = name;
      if (!tags[kind].has(tag)) report(line, unknownTag(kind, tag));
      if (!lines.has(tag)) lines.set(tag, line);
      const words = tags[kind].get(tag) === 'text' ? [value] : value.split(/\s+/);
      values.set(tag, [...(values.get(tag) ?? []), ...words.filter((word) => word !== '')]);
      if (tag === 'numbered' && value !== '') report(line, '@numbered stands alone.');
    } else if (tag === '') {
      text.push(content);
    } else if (content !== '') {
      if (tags[kind].get(tag) === 'text') values.get(tag)?.push(content);
      else report(line, `@${tag} cannot go on without a tag: repeat @${tag}.`);
    }
  }
  while (text[0] === '') text.shift();
  while (text.at(-1) === '') text.pop();
  return { text, values, lines };
}

/**
 * @param {'command' | 'include'} kind
 * @param {Head} head
 * @param {Map<string, string[]>} values
 * @param {Report} report
 */
function check(kind, head, values, report) {
  if (head.text.length === 0) report(1, `The head does not say what the ${kind} is for.`);
  for (const [tag, names] of values) {
    const line = head.lines.get(tag) ?? 1;
    const content = tags[kind].get(tag);
    if (content === undefined || content === 'nothing') continue;
    if (names.length === 0) report(line, `@${tag} is empty.`);
    if (content === 'text') continue;
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) report(line, `@${tag} holds ${repeated} twice.`);
    if (names.length > 1 && names.includes('none')) report(line, `@${tag} holds none besides other names.`);
    const odd = identifiers.includes(tag) ? names.find((name) => !/^[A-Za-z_]\w*$/.test(name)) : undefined;
    if (odd !== undefined) report(line, `@${tag} holds ${odd}, which is no name of a variable.`);
  }
  if (kind === 'include') return;

  for (const tag of required.filter((each) => !values.has(each))) {
    report(1, `The head has no @${tag}.`);
  }
  if (values.has('keys') && head.keys.join() !== 'base') {
    report(head.lines.get('keys') ?? 1, `@keys has to be base, and is ${head.keys.join(' ')}.`);
  }
  if (head.isNumbered && !numberedArgs.every((name, index) => head.args[index] === name)) {
    report(
      head.lines.get('numbered') ?? 1,
      `@numbered: @args has to begin with ${numberedArgs.join(' ')}, by which a repeated call is known.`,
    );
  }
}

/**
 * @param {'command' | 'include'} kind
 * @param {string} tag
 */
function unknownTag(kind, tag) {
  const known = [...tags[kind].keys()].map((each) => `@${each}`).join(', ');
  return `@${tag} is not a tag of ${kind === 'command' ? 'a command' : 'an include'}: ${known}.`;
}

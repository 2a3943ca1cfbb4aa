// Which variable each name of a Lua file means.

import { lineOf } from './read-source.mjs';

/** @typedef {import('luaparse').Node} Node */
/** @typedef {import('luaparse').Expression} Expression */
/** @typedef {import('luaparse').Identifier} Identifier */

/**
 * @typedef {object} Variable
 * @property {string} name
 * @property {LuaFunction} owner the function whose local it is
 */

/**
 * @typedef {object} LuaFunction
 * @property {number} line
 * @property {LuaFunction | undefined} outer nothing for the main chunk
 * @property {Set<Variable>} upvalues locals of other functions that it uses, or that a function in it uses
 */

/**
 * @typedef {object} Reference
 * @property {Identifier} node
 * @property {number} line
 * @property {Variable | undefined} variable nothing for a global
 * @property {LuaFunction} within
 * @property {'reads' | 'assigns' | 'assigns into'} use
 * @property {Node[]} parents from the nearest to the farthest
 */

/**
 * @typedef {object} Scopes
 * @property {LuaFunction} main
 * @property {LuaFunction[]} functions the main chunk and all others
 * @property {Reference[]} references
 * @property {Map<string, Variable>} outside the variables that the file takes from others
 * @property {Variable[]} top locals of the main chunk that no block encloses
 */

/**
 * @param {import('luaparse').Chunk} chunk
 * @param {Iterable<string>} namesFromOutside locals of other files that are written in front of this one
 * @returns {Scopes}
 */
export function scopesOf(chunk, namesFromOutside = []) {
  /** @type {LuaFunction} */
  const main = { line: 1, outer: undefined, upvalues: new Set() };
  const walk = new Walk(main);
  for (const name of namesFromOutside) walk.declare(name);
  const outside = walk.blocks[0] ?? new Map();
  walk.block(chunk.body);
  return { main, functions: walk.functions, references: walk.references, outside, top: walk.top };
}

/**
 * Every node, each before those in it.
 *
 * @param {unknown} value
 * @returns {Generator<Node>}
 */
export function* nodesIn(value) {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') yield /** @type {Node} */ (value);
  for (const each of Object.values(value)) yield* nodesIn(each);
}

class Walk {
  /** @type {Map<string, Variable>[]} the innermost last */
  blocks = [new Map()];
  /** @type {Node[]} the innermost last */
  parents = [];
  /** @type {Reference[]} */
  references = [];
  /** @type {Variable[]} */
  top = [];

  /** @param {LuaFunction} main */
  constructor(main) {
    this.within = main;
    this.functions = [main];
  }

  /** @param {string} name */
  declare(name) {
    const variable = { name, owner: this.within };
    this.blocks.at(-1)?.set(name, variable);
    // The first block holds what comes from outside.
    if (this.blocks.length === 2) this.top.push(variable);
  }

  /**
   * @param {Node[]} body
   * @param {() => void} [begin] runs in the block, in front of the body
   * @param {() => void} [end] runs in the block, behind the body
   */
  block(body, begin, end) {
    this.blocks.push(new Map());
    begin?.();
    for (const node of body) this.visit(node);
    end?.();
    this.blocks.pop();
  }

  /** @param {Node} node */
  visit(node) {
    this.parents.push(node);
    this.inside(node);
    this.parents.pop();
  }

  /** @param {Node} node */
  inside(node) {
    // eslint-disable-next-line @typescript-eslint/switch-exhaustiveness-check -- most kinds only hold others
    switch (node.type) {
      case 'Identifier':
        this.refer(node, 'reads');
        break;
      case 'MemberExpression':
        this.visit(node.base);
        break;
      case 'TableKeyString':
        this.visit(node.value);
        break;
      case 'LocalStatement':
        node.init.forEach((each) => this.visit(each));
        node.variables.forEach(({ name }) => this.declare(name));
        break;
      case 'AssignmentStatement':
        node.init.forEach((each) => this.visit(each));
        node.variables.forEach((each) => this.assign(each));
        break;
      case 'FunctionDeclaration':
        this.enterFunction(node);
        break;
      case 'ForNumericStatement':
        [node.start, node.end, ...(node.step ? [node.step] : [])].forEach((each) => this.visit(each));
        this.block(node.body, () => this.declare(node.variable.name));
        break;
      case 'ForGenericStatement':
        node.iterators.forEach((each) => this.visit(each));
        this.block(node.body, () => node.variables.forEach(({ name }) => this.declare(name)));
        break;
      case 'RepeatStatement':
        this.block(node.body, undefined, () => this.visit(node.condition));
        break;
      case 'WhileStatement':
      case 'IfClause':
      case 'ElseifClause':
        this.visit(node.condition);
        this.block(node.body);
        break;
      case 'ElseClause':
      case 'DoStatement':
        this.block(node.body);
        break;
      default:
        for (const child of childrenOf(node)) this.visit(child);
    }
  }

  /** @param {import('luaparse').FunctionDeclaration} node */
  enterFunction({ identifier, isLocal, parameters, body, loc }) {
    if (identifier && isLocal && identifier.type === 'Identifier') this.declare(identifier.name);
    else if (identifier) this.assign(identifier);
    const outer = this.within;
    this.within = { line: loc?.start.line ?? 1, outer, upvalues: new Set() };
    this.functions.push(this.within);
    this.block(body, () => {
      if (identifier?.type === 'MemberExpression' && identifier.indexer === ':') this.declare('self');
      for (const each of parameters) if (each.type === 'Identifier') this.declare(each.name);
    });
    this.within = outer;
  }

  /** @param {Expression} target */
  assign(target) {
    if (target.type === 'Identifier') {
      this.refer(target, 'assigns');
      return;
    }
    /** @type {Expression} */
    let root = target;
    while (root.type === 'MemberExpression' || root.type === 'IndexExpression') root = root.base;
    this.visit(target);
    const reference = this.references.findLast((each) => each.node === root);
    if (reference) reference.use = 'assigns into';
  }

  /**
   * @param {Identifier} node
   * @param {Reference['use']} use
   */
  refer(node, use) {
    const variable = this.blocks.findLast((block) => block.has(node.name))?.get(node.name);
    const parents = this.parents.filter((each) => each !== node).reverse();
    this.references.push({ node, line: lineOf(node), variable, within: this.within, use, parents });
    if (!variable) return;
    for (let each = this.within; each !== variable.owner && each.outer; each = each.outer) {
      each.upvalues.add(variable);
    }
  }
}

/**
 * @param {Node} node
 * @returns {Node[]}
 */
function childrenOf(node) {
  /** @type {Node[]} */
  const children = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value;
}

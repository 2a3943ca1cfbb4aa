// Lua without its comments and blank lines.

import luaparse from 'luaparse';

const endOfFile = 1;

/**
 * Works on the places of tokens, so a string may hold what looks like a comment.
 *
 * @param {string} text
 */
export function stripComments(text) {
  const lexer = luaparse.parse({ wait: true, luaVersion: '5.1' });
  lexer.write(text);
  let result = '';
  let end = 0;
  for (let token = lexer.lex(); token.type !== endOfFile; token = lexer.lex()) {
    const [start, next] = token.range;
    const gap = text.slice(end, start);
    result += (end === 0 ? '' : shorten(gap)) + text.slice(start, next);
    end = next;
  }
  return `${result}\n`;
}

/** @param {string} gap white space and comments between two tokens */
function shorten(gap) {
  const lastLine = gap.lastIndexOf('\n') + 1;
  const indent = /^[ \t]*/.exec(gap.slice(lastLine))?.[0] ?? '';
  if (lastLine > 0) return `\n${indent}`;
  return gap.trim() === '' ? gap : ' ';
}

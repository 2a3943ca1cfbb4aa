import { textProperty } from './errors/text-property';
import type { SchemaIssue } from './standard-schema';

/**
 * One thing that is wrong with the data of a job.
 *
 * @public
 */
export interface ValidationIssue {
  /** Where in the data, such as `items.0.price`; empty for the whole of it, and where the validator does not say. */
  readonly path: string;
  /** What the validator says; never the value that it found. */
  readonly message: string;
}

/** Where validators keep the text of the value that they found, which is part of their messages too. */
const FOUND_VALUE = ['received', 'actual'] as const;

/**
 * What a schema has found, without the values that some validators name.
 *
 * @internal
 */
export function issuesOfSchema(issues: readonly SchemaIssue[]): ValidationIssue[] {
  return issues.map((issue) => ({
    path: (issue.path ?? []).map(keyOf).join('.'),
    message: FOUND_VALUE.reduce(
      (message, name) => withoutLast(message, textProperty(issue, name)),
      issue.message,
    ),
  }));
}

/**
 * What a validator has thrown: an exception of Nest, whose response has the messages in one of several forms, an error
 * with the issues of a schema, or any other, which has one message.
 *
 * @internal
 */
export function issuesOfThrown(thrown: unknown): ValidationIssue[] {
  const found = readIssues(thrown);
  return found.length > 0
    ? found
    : [{ path: '', message: textProperty(thrown, 'message') ?? 'it was refused' }];
}

function readIssues(thrown: unknown): ValidationIssue[] {
  try {
    const { issues, getResponse } = Object(thrown) as { issues?: unknown; getResponse?: unknown };
    if (Array.isArray(issues) && issues.every((issue) => textProperty(issue, 'message') !== undefined)) {
      return issuesOfSchema(issues as SchemaIssue[]);
    }
    const response = typeof getResponse === 'function' ? (getResponse.call(thrown) as unknown) : undefined;
    const isObject = typeof response === 'object' && response !== null;
    return issuesOfMessages(isObject ? (response as { readonly message?: unknown }).message : response);
  } catch {
    // Anything can be thrown, also what cannot be read.
    return [];
  }
}

/** A text, a list of texts, or lists of texts by path. */
function issuesOfMessages(messages: unknown, path = ''): ValidationIssue[] {
  if (typeof messages === 'string') {
    return [{ path, message: messages }];
  }
  if (Array.isArray(messages)) {
    return messages.flatMap((message: unknown) => (typeof message === 'string' ? [{ path, message }] : []));
  }
  return path === '' && typeof messages === 'object' && messages !== null
    ? Object.entries(messages).flatMap(([key, ofKey]) => issuesOfMessages(ofKey, key))
    : [];
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}

/** Messages end with the value: "Expected string but received 5". */
function withoutLast(message: string, value: string | undefined): string {
  const at = value === undefined || value === '' ? -1 : message.lastIndexOf(value);
  return at === -1 ? message : `${message.slice(0, at)}…${message.slice(at + value!.length)}`;
}

import { domainToASCII } from 'node:url';

/** An address that a message can be sent to. */
export interface EmailAddress {
  /** As it was given. */
  text: string;
  /** The same for all spellings that reach the same mailbox. */
  key: string;
}

const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Judges an address as the e-mail field of an HTML form would, and wants a dot in the domain.
 *
 * @returns `undefined` when it is malformed
 */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1 || local.length > 64 || !LOCAL_PART.test(local) || !DOMAIN.test(domain)) return undefined;

  const ascii = domainToASCII(domain);
  const labels = ascii.split('.');
  const topLevel = labels.at(-1)!;
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label)) || /^\d+$/.test(topLevel))
    return undefined;

  const key = `${local}@${ascii}`.toLowerCase();
  return key.length <= 254 ? { text, key } : undefined;
}

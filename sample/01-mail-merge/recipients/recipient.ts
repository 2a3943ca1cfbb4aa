import type { EmailAddress } from './email-address';

/** Somebody a message goes to. */
export interface Recipient {
  address: EmailAddress;
  /** The cells of the row that are not empty, by the key of their column. */
  values: Record<string, string>;
}

/** Why a row of the file gets no message. */
export const SKIP_REASONS = ['duplicate address', 'malformed address', 'empty address'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A recipients file, sorted into those to write to and those to leave out. */
export interface RecipientList {
  /** Keys of the columns. */
  columns: string[];
  recipients: Recipient[];
  /** Lines of the rows that were left out. */
  skipped: Record<SkipReason, number[]>;
}

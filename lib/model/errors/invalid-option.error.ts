import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Base of the errors for an option whose value breaks its rule. Nothing was stored or changed.
 *
 * @public
 */
export abstract class InvalidOptionError extends LaneError {
  /**
   * @param option - the option's name, as the caller writes it
   * @param value - what was given
   * @param rule - what is accepted, as a phrase that follows "must be"
   * @param fix - what to do, as a whole sentence
   */
  constructor(
    readonly option: string,
    readonly value: unknown,
    rule: string,
    fix: string,
  ) {
    super(`Option "${option}" is ${showValue(value)}; it must be ${rule}. ${fix}`);
  }
}

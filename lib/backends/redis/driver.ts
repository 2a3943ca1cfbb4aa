import type * as Ioredis from 'ioredis';

import { MissingDriverError } from '../../model/errors/missing-driver.error';

/**
 * The client library, loaded when it is first needed.
 *
 * @throws MissingDriverError when it is not installed
 *
 * @internal
 */
export function loadDriver(): typeof Ioredis {
  try {
    return require('ioredis') as typeof Ioredis;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' && message.includes("'ioredis'")) {
      throw new MissingDriverError('redis', 'ioredis', { cause: error });
    }
    throw error;
  }
}

import type { PipeTransform } from '@nestjs/common';

import { validate } from '../../model/schema-validation';
import type { StandardSchema } from '../../model/standard-schema';

/**
 * Holds a part of a job's data against a schema; what the schema makes of it goes on. What does not match is thrown in the
 * form in which the failures of pipes are read, without the values that were found.
 *
 * @internal
 */
export class SchemaPipe implements PipeTransform {
  /** @param path - of the part */
  constructor(
    private readonly schema: StandardSchema,
    private readonly path: string | undefined,
  ) {}

  async transform(value: unknown): Promise<unknown> {
    const validated = await validate(this.schema, value);
    if (validated.issues === undefined) {
      return validated.value;
    }
    const issues = validated.issues.map(({ path, message }) => ({
      message,
      path: [this.path ?? '', path].filter((part) => part !== ''),
    }));
    throw Object.assign(new TypeError('The data of the job does not match the schema of its handler.'), {
      issues,
    });
  }
}

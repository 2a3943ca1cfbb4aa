import { MODULE_METADATA } from '@nestjs/common/constants.js';

/**
 * What a module class lists in the `imports` of its decorator: module classes, dynamic modules, promises of those
 * and forward references.
 *
 * @internal
 */
export function declaredImports(moduleClass: object): readonly unknown[] {
  return (Reflect.getMetadata(MODULE_METADATA.IMPORTS, moduleClass) ?? []) as unknown[];
}

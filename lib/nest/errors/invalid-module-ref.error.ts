import { LaneError } from '../../model/errors/lane-error';
import { showValue } from '../../model/errors/show-value';

/**
 * Thrown by `LaneRunner.register()` for something else than what `LazyModuleLoader.load()` of the same application gave.
 *
 * @public
 */
export class InvalidModuleRefError extends LaneError {
  readonly code = 'LANE_BAD_MODULE_REF';

  constructor(value: unknown) {
    super(
      `LaneRunner.register() was given ${showValue(value)}, which is no ModuleRef of a module of this application. ` +
        'Give it what LazyModuleLoader.load() resolved with.',
    );
  }
}

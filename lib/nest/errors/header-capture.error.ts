import { LaneError } from '../../model/errors/lane-error';

/**
 * Thrown when a job is added and `headers.capture` of its connection throws, or returns something else than headers. The
 * job is not stored: without its headers it could run for the wrong tenant.
 *
 * @public
 */
export class HeaderCaptureError extends LaneError {
  readonly code = 'LANE_HEADER_CAPTURE';

  /** @param cause - what it threw, or what is wrong with what it returned */
  constructor(cause: unknown) {
    super(
      'The job was not added: "headers.capture" of LaneModule.forRoot threw, or returned what are no headers. Have it ' +
        'return texts by name, and undefined where there are none.',
      { cause },
    );
  }
}

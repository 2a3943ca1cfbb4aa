/**
 * What backends differ in. Everything else is the same on all of them; the conformance suite skips a case for no
 * other reason than one of these.
 *
 * @public
 */
export interface BackendCapabilities {
  /** Jobs outlive the process. */
  readonly durable: boolean;
}

/** Name of a capability. @public */
export type BackendCapability = keyof BackendCapabilities;

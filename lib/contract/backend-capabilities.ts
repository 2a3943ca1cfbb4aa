/**
 * What backends differ in. Everything else is the same on all of them; the conformance suite skips a case for no
 * other reason than one of these.
 *
 * @public
 */
export interface BackendCapabilities {
  /** Jobs outlive the process. */
  readonly durable: boolean;
  /** Jobs live in a server, which may be out of reach; elsewhere the store is part of the process. */
  readonly server: boolean;
}

/** Name of a capability. @public */
export type BackendCapability = keyof BackendCapabilities;

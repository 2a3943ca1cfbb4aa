/** What every worker is told, so that all do the same work. */
export const WORKER_OPTIONS = { lockDuration: 30_000, stalledInterval: 30_000 };

/** The job that is measured. */
export async function noOp() {}

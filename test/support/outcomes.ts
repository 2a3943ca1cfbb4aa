import { KEEP_ALL, type Claim, type HeldLease, type Outcome } from 'nestjs-lane/contract';

type Fields<Kind extends Outcome['kind']> = Partial<
  Omit<Extract<Outcome, { kind: Kind }>, 'id' | 'token' | 'kind'>
>;

/** The lease of a claim on its first job, or on the one of that id. */
export function leaseOf(claim: Claim, id = claim.jobs[0]!.id): HeldLease {
  return { id, token: claim.token };
}

export function completion(lease: HeldLease, fields: Fields<'completed'> = {}): Outcome {
  return { ...lease, kind: 'completed', returnValue: 'null', retention: KEEP_ALL, ...fields };
}

export function failure(lease: HeldLease, fields: Fields<'failed'> = {}): Outcome {
  return {
    ...lease,
    kind: 'failed',
    reason: 'broken',
    code: null,
    stacktrace: '["Error: broken"]',
    attempts: 1,
    retention: KEEP_ALL,
    ...fields,
  };
}

export function retry(lease: HeldLease, fields: Fields<'retry'> = {}): Outcome {
  return {
    ...lease,
    kind: 'retry',
    reason: 'broken',
    stacktrace: '["Error: broken"]',
    delay: 0,
    lifo: false,
    ...fields,
  };
}

export function handBack(lease: HeldLease): Outcome {
  return { ...lease, kind: 'handed-back' };
}

import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { evaluatePolicies } from './evaluation-rounds.ts'

export const EVALUATE_POLICIES = 'evaluate-policies'

/** Evaluates policies that changed: at once, and every minute. */
export function evaluateChangedPolicies(tools: Pick<Services, 'db' | 'now'>): JobKind {
  return defineJob({
    name: EVALUATE_POLICIES,
    maxAttempts: 5,
    everyMinutes: 1,
    fair: { perProcess: 1, perOrg: 1 },
    run: (_payload, { signal }) => evaluatePolicies(tools, signal),
  })
}

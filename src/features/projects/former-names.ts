import type { FormerNames } from '#foundation/http/former-names.ts'

/** Member names of the first releases of projects and targets, which published clients still request. */
export const formerNames: FormerNames = {
  releases: ['2021-06-04~beta', '2021-08-20~beta', '2021-09-29~beta'],
  names: {
    business_criticality: 'businessCriticality',
    created_at: 'createdAt',
    created_gte: 'createdGte',
    display_name: 'displayName',
    exclude_empty: 'excludeEmpty',
    is_enabled: 'isEnabled',
    is_private: 'isPrivate',
    last_tested_at: 'lastTestedAt',
    names_start_with: 'namesStartWith',
    next_test_at: 'nextTestAt',
    origins: 'origin',
    pull_requests: 'pullRequests',
    read_only: 'readOnly',
    recurring_tests: 'recurringTests',
    target_file: 'targetFile',
    target_id: 'targetId',
    target_reference: 'targetReference',
    url: 'remoteUrl',
  },
}

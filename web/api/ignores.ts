import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call } from './client.ts'

export type Ignore = Answer<'listIgnores'>['data'][number]
export type IgnoreQuery = Operations['listIgnores']['query']
export type ReasonType = Ignore['attributes']['reason_type']
export type StaleReason = NonNullable<Ignore['attributes']['stale_because']>

/** An ignore as entered by a user. */
export interface IgnoreWanted {
  readonly issueId: string
  /** `*` for every path, or packages from the direct dependency on, joined by ` > `. */
  readonly path: string
  readonly reason: string
  readonly reasonType: ReasonType
  readonly disregardIfFixable: boolean
  /** Empty for no expiry. */
  readonly expires: string
}

export function listIgnores(orgId: string, query: IgnoreQuery) {
  return call('listIgnores', { params: { org_id: orgId }, query })
}

/** Creates an ignore, or changes the one with the same issue and path. */
export async function saveIgnore(orgId: string, projectId: string, wanted: IgnoreWanted): Promise<void> {
  const { issueId, path, reason, reasonType, disregardIfFixable, expires } = wanted
  const body = { ignorePath: path, reason, reasonType, disregardIfFixable, expires }
  await call('addIgnoreV1', { params: { orgId, projectId, issueId }, body })
}

/** Deletes one ignore; others of the same issue stay. */
export async function endIgnore(orgId: string, id: string): Promise<void> {
  await call('deleteIgnore', { params: { org_id: orgId, ignore_id: id } })
}

export type PolicyFiles = Answer<'getOrgSettingsV1'>['policyFiles']

export function readOrgSettings(orgId: string) {
  return call('getOrgSettingsV1', { params: { orgId } })
}

export async function decideOnPolicyFiles(orgId: string, policyFiles: PolicyFiles): Promise<void> {
  await call('updateOrgSettingsV1', { params: { orgId }, body: { policyFiles } })
}

import { call } from './client.ts'
import type { ReasonType } from './resources.ts'

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

/** Creates an ignore, or changes the one with the same issue and path. */
export async function saveIgnore(orgId: string, projectId: string, input: IgnoreWanted): Promise<void> {
  const { issueId, path, ...terms } = input
  await call('addIgnoreV1', { params: { orgId, projectId, issueId }, body: { ignorePath: path, ...terms } })
}

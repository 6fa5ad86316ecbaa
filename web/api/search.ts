import { type Answer, call } from './client.ts'

export type Hit = Answer<'searchOrg'>['data'][number]
export type HitKind = Hit['type']

export interface SearchInput {
  readonly query: string
  readonly kinds?: HitKind[] | undefined
  readonly signal: AbortSignal
}

export async function searchOrg(orgId: string, { query, kinds, signal }: SearchInput): Promise<readonly Hit[]> {
  return (await call('searchOrg', { params: { org_id: orgId }, query: { query, kinds }, signal })).data
}

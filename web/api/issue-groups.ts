import { call } from './client.ts'
import { cursorOf, type Listed } from './places.ts'
import type { GroupQuery, IssueGroup } from './resources.ts'

export interface GroupTotals {
  readonly groups: number
  readonly issues: number
}

interface GroupPage extends Listed<IssueGroup> {
  readonly totals: GroupTotals
}

/** Lists issues by vulnerability, package or project, with totals over all pages. */
export async function listIssueGroups(orgId: string, query: GroupQuery): Promise<GroupPage> {
  const { data, links, meta } = await call('listIssueGroups', {
    params: { org_id: orgId },
    query: { ...query, 'meta.totals': true },
  })
  return { data, links, totals: meta as unknown as GroupTotals }
}

/** Finds one group by its id; a vulnerability also by any of its aliases. */
export async function findIssueGroup(
  orgId: string,
  { by, id }: { by: 'vulnerability' | 'package'; id: string },
): Promise<IssueGroup | undefined> {
  const params = { org_id: orgId }
  const [exact] = (await call('listIssueGroups', { params, query: { group_by: by, id } })).data
  if (exact || by === 'package') return exact
  const { data } = await call('listIssueGroups', { params, query: { group_by: by, query: id } })
  return data.find(({ attributes }) => attributes.aliases?.some((alias) => alias.toLowerCase() === id.toLowerCase()))
}

export async function listAllGroups(orgId: string, query: GroupQuery): Promise<readonly IssueGroup[]> {
  const groups: IssueGroup[] = []
  let after: string | undefined
  do {
    const page = { ...query, limit: 100, starting_after: after }
    const { data, links } = await call('listIssueGroups', { params: { org_id: orgId }, query: page })
    groups.push(...data)
    after = cursorOf(links.next, 'starting_after')
  } while (after !== undefined)
  return groups
}

import { ask } from './ask.ts'

/** Number of entries in each list of an organization; absent for lists that the caller may not read. */
export type PlaceCounts = Readonly<
  Partial<
    Record<
      'projects' | 'issues' | 'ignores' | 'failed_imports' | 'service_accounts' | 'apps' | 'installs' | 'members',
      number
    >
  >
>

export async function readCounts(orgId: string): Promise<PlaceCounts> {
  return (await ask('GET', `orgs/${encodeURIComponent(orgId)}/counts`)) as PlaceCounts
}

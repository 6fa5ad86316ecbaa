import { ask } from './ask.ts'

/** Open issues every third day of the last 90 days, the oldest first, by id. */
export type Sparklines = Readonly<Record<string, readonly number[]>>

export async function readSparklines(
  orgId: string,
  by: 'repository' | 'project',
  ids: readonly string[],
): Promise<Sparklines> {
  const query = new URLSearchParams({ by, ids: ids.join() })
  const { open } = (await ask('GET', `orgs/${encodeURIComponent(orgId)}/sparklines?${query}`)) as { open: Sparklines }
  return open
}

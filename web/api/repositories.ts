import { ask } from './ask.ts'
import type { Counts } from './overview.ts'

/** A repository, or another origin of projects, with sums over its projects. */
export interface Repository {
  /** The id of the target. */
  readonly id: string
  readonly name: string
  readonly projects: number
  readonly incomplete: number
  readonly untested: number
  /** True if everything was tested against all advisories and nothing was found. */
  readonly is_clean: boolean
  readonly types: readonly string[]
  /** The time of the oldest test among the projects. */
  readonly tested_at: string | null
  readonly open: Counts
}

export interface RepositoryPage {
  readonly data: readonly Repository[]
  readonly links: { readonly next?: string; readonly prev?: string }
}

export async function listRepositories(
  orgId: string,
  page: Readonly<Record<string, string | number | undefined>>,
): Promise<RepositoryPage> {
  const given = Object.entries(page).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const answer = await ask('GET', `orgs/${encodeURIComponent(orgId)}/repositories?${new URLSearchParams(given)}`)
  const { data, links } = answer as { data: (Repository | null)[]; links: RepositoryPage['links'] }
  return { data: data.filter((each) => each !== null), links }
}

import { call } from './client.ts'

/** Lists the versions of a package in an organization, those with most projects first. */
export function listVersions(orgId: string, { registry, name }: { registry: string; name: string }, page: number) {
  const query = { sortBy: 'projects', order: 'desc', page, perPage: VERSIONS_PER_PAGE } as const
  const filters = { dependencies: [name], languages: [registry] }
  return call('listDependenciesV1', { params: { orgId }, query, body: { filters } })
}

export const VERSIONS_PER_PAGE = 20

import { call, type Data } from './client.ts'
import { cursorOf, type Listed } from './places.ts'
import { listProjects } from './projects.ts'
import type { IssueQuery } from './resources.ts'

/** An issue of a project, with the project's name. */
export type OrgIssue = Data<'listOrgIssues'>[number] & { readonly projectName: string }

/** Lists issues with project names: the interface identifies projects by id. */
export async function listIssues(orgId: string, query: IssueQuery): Promise<Listed<OrgIssue>> {
  const { data, links } = await call('listOrgIssues', { params: { org_id: orgId }, query })
  const ids = [...new Set(data.map(({ relationships }) => relationships.scan_item.data.id))]
  const projects = ids.length === 0 ? [] : (await listProjects(orgId, { ids, limit: 100 })).data
  const names = new Map(projects.map(({ id, attributes }) => [id, attributes.name]))
  return {
    data: data.map((issue) => {
      const { id } = issue.relationships.scan_item.data
      return { ...issue, projectName: names.get(id) ?? id }
    }),
    links,
  }
}

/** Lists the packages of an issue with their versions, each once. */
export function packagesOf({ attributes }: OrgIssue): string[] {
  const packages = attributes.coordinates.flatMap(({ representations }) =>
    representations.map(({ dependency }) => `${dependency.package_name}@${dependency.package_version}`),
  )
  return [...new Set(packages)]
}

interface OpenPlace {
  readonly projectId: string
  readonly issueId: string
}

/** Lists the projects in which a vulnerability is open, of all pages. */
export async function listOpenPlaces(orgId: string, key: string): Promise<readonly OpenPlace[]> {
  const openPlaces = new Map<string, OpenPlace>()
  let after: string | undefined
  do {
    const query = { key, ignored: false, limit: 100, starting_after: after }
    const { data, links } = await call('listOrgIssues', { params: { org_id: orgId }, query })
    for (const { attributes, relationships } of data) {
      const place = { projectId: relationships.scan_item.data.id, issueId: attributes.key }
      openPlaces.set(`${place.projectId} ${place.issueId}`, place)
    }
    after = cursorOf(links.next, 'starting_after')
  } while (after !== undefined)
  return [...openPlaces.values()]
}

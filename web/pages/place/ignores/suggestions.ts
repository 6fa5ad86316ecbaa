import { call } from '../../../api/client.ts'
import { listProjects } from '../../../api/projects.ts'
import type { ConditionField } from '../../../api/resources.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'

interface Suggestion {
  readonly value: string
  readonly label: string
}

const LIMIT = 10

/** Ids that a list accepts at once. */
const MAX_IDS = 100
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Finds values for a condition of an organization's rule. A group has no lists of projects and issues. */
export async function suggest(
  { kind, id: orgId }: ConsoleScope,
  field: ConditionField,
  text: string,
): Promise<readonly Suggestion[]> {
  if (kind !== 'orgs') return []
  const params = { org_id: orgId }
  if (field === 'vulnerability-id' || field === 'package') {
    const group_by = field === 'package' ? 'package' : 'vulnerability'
    const { data } = await call('listIssueGroups', { params, query: { group_by, query: text, limit: LIMIT } })
    return data.map(({ id, attributes: { name } }) => ({
      value: id,
      label: field === 'package' ? id : `${id} ${name}`,
    }))
  }
  if (field === 'project') {
    const { data } = await listProjects(orgId, { name: text, limit: LIMIT })
    return data.map(({ id, attributes }) => ({ value: id, label: attributes.name }))
  }
  if (field === 'target') {
    const { data } = await call('getOrgsTargets', { params, query: { display_name: text, limit: LIMIT } })
    return data.map(({ id, attributes }) => ({ value: id, label: targetName(attributes) }))
  }
  return []
}

/** Finds the names of projects or repositories by their ids. */
export async function findNames(
  { kind, id: orgId }: ConsoleScope,
  field: ConditionField,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = values.filter((value) => UUID.test(value))
  const names = new Map<string, string>()
  if (kind !== 'orgs' || (field !== 'project' && field !== 'target')) return names
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const query = { ids: ids.slice(from, from + MAX_IDS), limit: MAX_IDS }
    if (field === 'project') {
      const { data } = await listProjects(orgId, query)
      for (const { id, attributes } of data) names.set(id, attributes.name)
    } else {
      const params = { org_id: orgId }
      const { data } = await call('getOrgsTargets', { params, query: { ...query, exclude_empty: false } })
      for (const { id, attributes } of data) names.set(id, targetName(attributes))
    }
  }
  return names
}

/** The name of a repository; older versions of the interface call it otherwise. */
function targetName(attributes: object): string {
  return 'display_name' in attributes ? String(attributes.display_name) : ''
}

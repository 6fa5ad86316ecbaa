import { call } from '../../../api/client.ts'
import { listProjects } from '../../../api/projects.ts'
import type { ConditionField } from '../../../api/resources.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'

interface Suggestion {
  readonly value: string
  readonly label: string
}

const LIMIT = 10

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
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (kind !== 'orgs') return new Map()
  if (field === 'project') {
    const { data } = await listProjects(orgId, { ids: [...ids], limit: 100 })
    return new Map(data.map(({ id, attributes }) => [id, attributes.name]))
  }
  if (field === 'target') {
    const targets = await Promise.all(
      ids.map((id) => call('getOrgsTarget', { params: { org_id: orgId, target_id: id } }).catch(() => undefined)),
    )
    return new Map(targets.flatMap((target) => (target ? [[target.data.id, targetName(target.data.attributes)]] : [])))
  }
  return new Map()
}

/** The name of a repository; older versions of the interface call it otherwise. */
function targetName(attributes: object): string {
  return 'display_name' in attributes ? String(attributes.display_name) : ''
}

import type { Condition, ConditionField, Policy } from '../../../api/resources.ts'
import { countOf } from '../../../ui/words.ts'

export const fields: Readonly<Record<ConditionField, string>> = {
  'vulnerability-id': 'Vulnerability',
  package: 'Package',
  'package-version': 'Version range',
  severity: 'Severity',
  'fix-available': 'Fix',
  ecosystem: 'Ecosystem',
  project: 'Project',
  'project-tag': 'Project tag',
  target: 'Repository',
  path: 'Dependency path',
}

/** Values of a condition that are listed before the rest is counted. */
export const LISTED = 3

/** Writes a condition: `Package: npm/lodash or npm/axios`, with the names of projects and repositories. */
export function conditionWords({ field, value }: Condition, names: ReadonlyMap<string, string>): string {
  if (field === 'fix-available') return value.includes('true') ? 'Fix available' : 'No fix yet'
  const rest = value.length - LISTED
  const listed = value.slice(0, LISTED).map((id) => names.get(id) ?? id)
  const shown = rest > 0 ? [...listed, `${rest.toLocaleString()} more`] : listed
  return `${fields[field]}: ${shown.join(' or ')}`
}

export function affectedWords({ attributes: { hides, changes } }: Policy): string {
  const { issues, projects } = changes ?? hides
  return issues === 0 ? 'nothing now' : `${countOf(issues, 'issue')} in ${countOf(projects, 'project')}`
}

import { toCsv } from '../../../ui/files.ts'
export const exportFormats = { csv: 'CSV', json: 'JSON', sarif: 'SARIF' } as const
export type ExportFormat = keyof typeof exportFormats

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  sarif: 'application/sarif+json',
}

export function toFile(format: ExportFormat, groups: readonly IssueGroup[]): Blob {
  const text =
    format === 'csv'
      ? toCsv([columns, ...groups.map(toRow)])
      : JSON.stringify(format === 'json' ? groups : toSarif(groups), null, 2)
  return new Blob([text], { type: mediaTypes[format] })
}

function toRow({ id, attributes }: IssueGroup): unknown[] {
  const values: Readonly<Record<string, unknown>> = { id, ...attributes }
  return columns.map((column) => values[column])
}

const columns = [
  'id',
  'name',
  'severity',
  'score',
  'is_exploited',
  'exploited_since',
  'exploit_due',
  'has_exploit',
  'epss_score',
  'epss_percentile',
  'risk_score',
  'is_direct',
  'is_fixable',
  'fixed_in',
  'packages',
  'aliases',
  'registry',
  'vulnerabilities',
  'versions',
  'projects',
  'issues',
  'ignored',
  'known_since',
] as const

const levels: Readonly<Record<string, string>> = { critical: 'error', high: 'error', medium: 'warning', low: 'note' }

/** Writes SARIF 2.1.0 with one result per group. */
export function toSarif(groups: readonly IssueGroup[]): object {
  const rules = groups.map(({ id, attributes: { name, score } }) => ({
    id,
    shortDescription: { text: name },
    ...(score !== undefined && { properties: { 'security-severity': score.toFixed(1) } }),
  }))
  const results = groups.map(({ id, attributes }, ruleIndex) => {
    const { name, severity = 'low', packages = [], projects, issues } = attributes
    const where = projects === undefined ? '' : ` in ${projects} projects`
    const text = [name, packages.join(', ')].filter(Boolean).join(': ')
    return {
      ruleId: id,
      ruleIndex,
      level: levels[severity],
      message: { text: `${text}${where}` },
      occurrenceCount: Math.max(1, issues),
    }
  })
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Gatehouse', rules } }, results }],
  }
}

import type { IssueGroup } from '../../../api/resources.ts'

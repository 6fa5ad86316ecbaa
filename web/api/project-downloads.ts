import { toCsv } from '../ui/files.ts'
import { type Answer, call, send } from './client.ts'

/** Documents about a project, by the server's format; CSV is written here. */
export const downloads = [
  { format: 'cyclonedx1.6+json', label: 'CycloneDX (JSON)', ending: 'cdx.json' },
  { format: 'cyclonedx1.6+xml', label: 'CycloneDX (XML)', ending: 'cdx.xml' },
  { format: 'spdx2.3+json', label: 'SPDX (JSON)', ending: 'spdx.json' },
  { format: 'openvex0.2.0+json', label: 'VEX (OpenVEX)', ending: 'vex.json' },
  { format: 'sarif2.1.0+json', label: 'SARIF', ending: 'sarif' },
  { format: 'csv', label: 'Issues (CSV)', ending: 'csv' },
] as const

/** Documents about all projects of an organization or a repository. */
export const exports = [
  { format: 'csv', label: 'Issues (CSV)', ending: 'csv' },
  { format: 'html', label: 'Report (to print)', ending: 'html' },
  { format: 'cyclonedx1.6+json', label: 'CycloneDX (JSON)', ending: 'cdx.json' },
  { format: 'spdx2.3+json', label: 'SPDX (JSON)', ending: 'spdx.json' },
  { format: 'openvex0.2.0+json', label: 'VEX (OpenVEX)', ending: 'vex.json' },
] as const

export type Download = (typeof downloads)[number]
export type Export = (typeof exports)[number]

/** Reads a document about all projects of an organization, or of one of its repositories. Throws `Refusal`. */
export async function readExport(orgId: string, targetId: string | undefined, { format }: Export): Promise<Blob> {
  const query = { format }
  const answer =
    targetId === undefined
      ? await send('exportOrg', { params: { org_id: orgId }, query })
      : await send('exportTarget', { params: { org_id: orgId, target_id: targetId }, query })
  return answer.blob()
}

/** Reads a document about a project. Throws `Refusal`. */
export async function readDownload(orgId: string, projectId: string, { format }: Download): Promise<Blob> {
  if (format === 'csv') return new Blob([await readCsv(orgId, projectId)], { type: 'text/csv' })
  const params = { org_id: orgId, project_id: projectId }
  return (await send('getOrgProjectSbom', { params, query: { format } })).blob()
}

type Issue = Answer<'listAggregatedIssuesV1'>['issues'][number]

const columns: readonly [name: string, value: (issue: Issue) => string][] = [
  ['Id', ({ id }) => id],
  ['Type', ({ issueType }) => issueType],
  ['Severity', ({ issueData }) => issueData.severity],
  ['Title', ({ issueData }) => issueData.title],
  ['Package', ({ pkgName }) => pkgName],
  ['Versions', ({ pkgVersions }) => pkgVersions.join(' ')],
  ['Fixed in', ({ fixInfo }) => (fixInfo?.fixedIn ?? []).join(' ')],
  ['CVE', ({ issueData }) => (issueData.identifiers?.['CVE'] ?? []).join(' ')],
  ['CVSS', ({ issueData }) => String(issueData.cvssScore ?? '')],
  ['Ignored', ({ isIgnored }) => (isIgnored ? 'yes' : 'no')],
  ['Link', ({ issueData }) => issueData.url ?? ''],
]

/** Writes every issue of a project, including ignored ones, as CSV. */
async function readCsv(orgId: string, projectId: string): Promise<string> {
  const { issues } = await call('listAggregatedIssuesV1', { params: { orgId, projectId }, body: {} })
  return toCsv([columns.map(([name]) => name), ...issues.map((issue) => columns.map(([, value]) => value(issue)))])
}

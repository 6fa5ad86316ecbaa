import type { Severity } from '#analysis/advisories/cvss.ts'
import type { Epss } from '#analysis/advisories/exploit-signals.ts'
import { type IssueFacts, toSeverity } from '#analysis/findings/known-issue.ts'
import { writeDay } from '#features/issue-index/triage/due-days.ts'
import type { Triage } from '#features/issue-index/triage/triage-store.ts'
import { projectUrl } from '#features/projects/project-url.ts'
import type { ProjectRow } from '#features/projects/store.ts'
import { writeCsvRow } from '#features/reports/csv.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { compareIssues, toIssueRisk } from '../issue-risk.ts'
import { issueUrl } from '../issue-url.ts'
import { createLicenseReader, type LicenseRow } from '../license-list.ts'
import { toContext } from '../project-issues.ts'
import { readProjectTriage, type TriageReader } from '../project-triage.ts'
import { type ExportedIssue, listExportedIssues } from './exported-issues-store.ts'
import { type ExportScope, listParts } from './list-projects.ts'

interface Line {
  readonly project: ProjectRow
  readonly issueId: string
  readonly type: 'vulnerability' | 'license'
  readonly severity: Severity
  readonly title: string
  readonly packages: readonly { readonly name: string; readonly version: string }[]
  readonly facts?: IssueFacts
  readonly epss?: Epss
  readonly isDirect: boolean
  readonly isIgnored: boolean
  /** Epoch milliseconds; 0 if unknown. */
  readonly seenSince: number
  readonly triage?: Triage
}

const columns: readonly (readonly [name: string, value: (line: Line, baseUrl: string) => string | number])[] = [
  ['Project', ({ project }) => project.name],
  ['Repository', ({ project }) => project.target_name],
  ['Path', ({ project }) => project.target_file ?? ''],
  ['Branch', ({ project }) => project.target_reference ?? ''],
  ['Id', ({ issueId }) => issueId],
  ['CVE', ({ facts }) => facts?.cve.join(' ') ?? ''],
  ['Type', ({ type }) => type],
  ['Severity', ({ severity }) => severity],
  ['CVSS', ({ facts }) => facts?.cvssScore ?? ''],
  ['Exploited', ({ facts }) => (facts?.isExploited ? 'yes' : '')],
  ['Exploited since', ({ facts }) => facts?.exploitedSince ?? ''],
  ['Exploit due', ({ facts }) => facts?.exploitDue ?? ''],
  ['Exploit code', ({ facts }) => (facts?.exploitMaturity === 'mature' ? 'yes' : '')],
  ['EPSS', ({ epss }) => epss?.epssScore ?? ''],
  ['EPSS percentile', ({ epss }) => epss?.epssPercentile ?? ''],
  ['Direct', ({ facts, isDirect }) => (facts ? (isDirect ? 'yes' : 'no') : '')],
  ['Risk score', (line) => toIssueRisk(line, toContext(line.project)).score],
  ['Title', ({ title }) => title],
  ['Package', ({ packages }) => listOnce(packages.map(({ name }) => name))],
  ['Versions', ({ packages }) => listOnce(packages.map(({ version }) => version))],
  ['Fixed in', ({ facts }) => facts?.fixedIn.join(' ') ?? ''],
  ['Ignored', ({ isIgnored }) => (isIgnored ? 'yes' : 'no')],
  ['Since', ({ seenSince }) => (seenSince === 0 ? '' : toTimestamp(seenSince))],
  ['Owner', ({ triage }) => triage?.assignee?.name ?? ''],
  ['Due', ({ triage }) => (triage?.dueDay === undefined ? '' : writeDay(triage.dueDay))],
  ['Advisory', ({ issueId, facts }, baseUrl) => (facts ? issueUrl(baseUrl, issueId) : '')],
  ['Link', ({ project }, baseUrl) => projectUrl(baseUrl, project.org_id, project.id)],
]

/** Yields the CSV of every issue, ignored ones included, a few projects at a time and those of each by priority. */
export async function* writeIssues(
  { database, baseUrl, now, epssOf }: Pick<Services, 'database' | 'baseUrl' | 'now'> & Pick<AdvisoryHolder, 'epssOf'>,
  scope: ExportScope,
): AsyncGenerator<string> {
  yield writeCsvRow(columns.map(([name]) => name))
  const db = database.reads
  const readLicenses = await createLicenseReader(db, scope.orgId, now())
  for await (const projects of listParts(db, scope)) {
    const numbers = projects.map(({ number }) => Number(number))
    const issues = await listExportedIssues(db, numbers)
    const triageOf = await readProjectTriage(db, scope.orgId, numbers)
    const byProject = Map.groupBy(issues, ({ project_number }) => Number(project_number))
    for (const project of projects) {
      const own = Map.groupBy(byProject.get(Number(project.number)) ?? [], ({ issue_id }) => issue_id)
      const lines: Line[] = [
        ...own.values().map((rows) => toLine(project, rows, { now: now(), epssOf, triageOf })),
        ...((await readLicenses?.(project)) ?? []).map((row) => toLicenseLine(project, row)),
      ]
      yield lines
        .sort(byPriority)
        .map((line) => writeCsvRow(columns.map(([, value]) => value(line, baseUrl))))
        .join('')
    }
  }
}

interface LineContext extends Pick<AdvisoryHolder, 'epssOf'> {
  readonly now: number
  readonly triageOf: TriageReader
}

function toLine(project: ProjectRow, rows: readonly ExportedIssue[], { now, epssOf, triageOf }: LineContext): Line {
  const [first] = rows as [ExportedIssue]
  const facts = JSON.parse(first.facts) as IssueFacts
  const firstSeen = Math.min(...rows.map(({ known_since }) => Number(known_since)))
  const seenSince = firstSeen === 0 ? 0 : Math.max(firstSeen, Number(project.created_at))
  return {
    project,
    issueId: first.issue_id,
    type: 'vulnerability',
    severity: toSeverity(Number(first.severity)),
    title: first.title,
    packages: rows,
    facts,
    epss: epssOf(facts.cve),
    isDirect: rows.some(({ is_direct }) => Number(is_direct) === 1),
    isIgnored: first.ignored_until !== null && Number(first.ignored_until) > now,
    seenSince,
    triage: triageOf(first, {
      severity: Number(first.severity),
      isExploited: facts.isExploited === true,
      since: seenSince === 0 ? undefined : seenSince,
    }),
  }
}

function toLicenseLine(project: ProjectRow, { issue_id, severity, title, packages, isIgnored }: LicenseRow): Line {
  const about = { issueId: issue_id, type: 'license', severity, title, packages, isIgnored } as const
  return { project, ...about, isDirect: false, seenSince: 0 }
}

function byPriority(a: Line, b: Line): number {
  return compareIssues({ ...a, id: a.issueId }, { ...b, id: b.issueId })
}

function listOnce(texts: readonly string[]): string {
  return [...new Set(texts)].join(' ')
}

import type { Static } from 'typebox'
import { findState } from '#features/issue-index/storage/states-store.ts'
import { projectUrl } from '#features/projects/project-url.ts'
import type { ProjectRow } from '#features/projects/store.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import type { Coverage } from '#scanning/results/test-result.ts'
import { readTexts } from '../advisory-texts.ts'
import { issueUrl } from '../issue-url.ts'
import { listIgnoresByIssue } from '../path-ignores.ts'
import type { ReadIssues } from '../project-issues.ts'
import { findIssuesWithSafeAdvice } from '../safe-advice.ts'
import type { StoredBillInput } from './stored-bill.ts'

/** The stored test of a project with its current issues, from which its documents are written. */
export interface ReadProject extends Omit<StoredBillInput, 'withLicenses'> {
  readonly row: ProjectRow
  readonly read: ReadIssues
}

export interface ReadProjectTools {
  readonly services: Pick<Services, 'db' | 'now' | 'baseUrl'>
  readonly advisories: AdvisoryHolder
}

export async function getStoredProject(tools: ReadProjectTools, row: ProjectRow): Promise<ReadProject> {
  const project = await findStoredProject(tools, row)
  if (!project) throw notFound(`A test of project ${row.id}`)
  return project
}

/** Returns undefined before the first test. */
export async function findStoredProject(
  { services, advisories }: ReadProjectTools,
  row: ProjectRow,
): Promise<ReadProject | undefined> {
  const { db, baseUrl } = services
  const state = await findState(db, row.number)
  const read = await findIssuesWithSafeAdvice(db, row, { now: services.now(), advisories })
  if (!state || !read) return undefined
  const vulnerabilities = read.issues.filter(({ type }) => type === 'vuln')
  return {
    row,
    read,
    ignores: await listIgnoresByIssue(services, row.number, read.issues),
    project: {
      kind: 'project',
      id: row.id,
      name: row.name,
      url: projectUrl(baseUrl, row.org_id, row.id),
      testedAt: Number(row.tested_at),
    },
    coverage: JSON.parse(state.coverage) as Static<typeof Coverage>,
    texts: readTexts(advisories, { manager: read.manager, issues: vulnerabilities }),
    issueUrl: (id) => issueUrl(baseUrl, id),
  }
}

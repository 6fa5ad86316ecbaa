import { randomUUID } from 'node:crypto'
import { toSeverity } from '#analysis/findings/known-issue.ts'
import type { StoredGraph } from '#analysis/findings/stored-graph.ts'
import type { LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { findPolicy } from '#features/license-policies/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import type { ReadSubject } from '#scanning/reading/task.ts'
import { toLicenseTitle } from '#scanning/results/license-issues.ts'
import type { ProjectTest } from '#scanning/results/project-form.ts'
import { saveIssueCounts } from '../counts/issue-counts-store.ts'
import { listIgnoredIds, listIssuesOfProject } from '../counts/issues-store.ts'
import { countLicenses, listLicenseFindings } from '../counts/license-findings.ts'
import { rejudgeIgnores } from '../ignores/rejudge-ignores.ts'
import { changeProjectCounts } from '../packages/org-packages-store.ts'
import { evaluateProjects } from '../policies/evaluate-policies.ts'
import { countBySeverity, type TestCounts } from '../severity-counts.ts'
import { type PackedSource, packSource, packTest, unpackGraph } from '../storage/packed-state.ts'
import { addTest, findState, saveState } from '../storage/states-store.ts'
import { compareFindings, type FormerIssue } from '../trends/issue-flow.ts'
import { listUpgrades } from '../upgrades/list-upgrades.ts'
import { replaceUpgrades } from '../upgrades/upgrades-store.ts'
import { announceTested, type NewIssue } from './announce-tested.ts'
import { nextTestAt } from './next-test.ts'
import { placeKeyOf } from './place-key.ts'
import { insertProject, lockProject, lockProjectById, type StoredProject, saveProject } from './record-store.ts'
import { replaceRepositoryIgnores } from './repository-ignores.ts'
import { type GraphIndices, storePackages } from './store-packages.ts'

/** The place of a project: one manifest of a target at one reference. */
export interface ProjectPlace {
  readonly orgId: string
  readonly targetId: string
  /** Package manager, as tests name it. */
  readonly type: string
  readonly targetFile: string | null
  readonly targetReference: string | null
  readonly name: string
  readonly origin: string
}

export interface RecordedBy {
  readonly id: string | null
  readonly name: string
}

export interface TestedProject {
  readonly test: ProjectTest
  /** The input of retests; undefined keeps the stored one. */
  readonly source: ReadSubject | PackedSource | undefined
  readonly contentDigest: string | null
  readonly revision: string | null
  readonly cause: 'import' | 'monitor' | 'retest'
  readonly by: RecordedBy
  readonly at: number
  /** Updates this project, although its file was renamed. */
  readonly projectId?: string
}

export interface RecordedTest {
  readonly projectId: string
  readonly projectNumber: number
  readonly isNew: boolean
  /** New issues of an existing project. */
  readonly newIssueIds: readonly string[]
}

/**
 * Stores the result of a project's test. Tests of the same target and place update the same project, whose history,
 * ignores and settings stay. New issues of an existing project are announced as an event.
 */
export async function recordTest(tx: Db, place: ProjectPlace, tested: TestedProject): Promise<RecordedTest> {
  const { test, at, cause, revision } = tested
  const [packed, source] = await Promise.all([packTest(test), tested.source && packSource(tested.source)])
  // Take this lock before row locks, so that a matcher that waits for writers is not blocked by this transaction.
  await shareLock(tx, 'known-issues')
  const { project, isNew } = await findOrCreateProject(tx, place, tested)
  const { number } = project
  const policy = await findPolicy(tx, place.orgId)
  const before = isNew ? undefined : await listKnown(tx, project, { policy, at })
  const { indices, orgNumber, added, removed, newlyListed, relabeled } = await storePackages(
    tx,
    { projectNumber: number, orgId: place.orgId },
    tested,
  )
  const testId = randomUUID()
  const coverage = JSON.stringify(test.coverage)
  await saveState(tx, { project_number: number, test_id: testId, ...packed, coverage, source })
  const issues = [
    ...(await listVulnerabilities(tx, number, { graph: test.graph, indices })),
    ...toLicenseIssues(test.type, test.graph, policy),
  ]
  const haveChanged = await replaceRepositoryIgnores(tx, { project, orgId: place.orgId }, { policy: test.policy, at })
  await rejudgeIgnores(tx, number, test.graph, { advice: test.advice, now: at, haveChanged })
  await evaluateProjects(tx, [number], at)
  const ignored = await listIgnoredIds(tx, number, at)
  const open = issues.filter(({ issueId }) => !ignored.has(issueId))
  await saveProject(tx, number, { ...toColumns(place, tested), next_test_at: nextTestAt(project, at) })
  const flow = compareFindings(before ?? new Map(), { issues, ignored }, at)
  await saveUpgrades(tx, { projectNumber: number, orgId: place.orgId }, { test, open })
  await addTest(tx, {
    id: testId,
    project_number: number,
    tested_at: at,
    cause,
    counts: JSON.stringify(toCounts(open)),
    total_dependencies: test.dependencyCount,
    revision,
  })
  const fresh = before ? open.filter(({ issueId }) => !before.has(issueId)) : []
  const uses = [
    { orgNumber, packages: added, by: 1 as const },
    { orgNumber, packages: removed, by: -1 as const },
  ]
  await changeProjectCounts(tx, uses, relabeled)
  await saveIssueCounts(tx, { numbers: [number], newlyListed, flow }, at)
  await announceTested(tx, { ...project, name: place.name }, { issues: fresh, cause, at })
  return { projectId: project.id, projectNumber: number, isNew, newIssueIds: fresh.map(({ issueId }) => issueId) }
}

async function saveUpgrades(
  tx: Db,
  owner: { projectNumber: number; orgId: string },
  { test, open }: { test: ProjectTest; open: readonly TestedIssue[] },
): Promise<void> {
  const { registry, versions } = getPackageManager(test.type)
  const severities = new Map(open.map(({ issueId, severity }) => [issueId, severity]))
  const upgrades = listUpgrades({ graph: test.graph, advice: test.advice, open: severities, versions })
  await replaceUpgrades(tx, { ...owner, registry }, upgrades)
}

const readAgain = { source_failure: null, source_failed_at: null } as const

/** Records the reason why a test failed. The result of the previous test stays. */
export async function recordFailure(
  tx: Db,
  projectId: string,
  { sentence, of, at }: { sentence: string; of: 'what was read' | 'what is stored'; at: number },
): Promise<void> {
  const project = await lockProjectById(tx, projectId, at)
  if (!project) return
  const next = { failure: sentence, next_test_at: nextTestAt(project, at) }
  await saveProject(tx, project.number, of === 'what was read' ? { ...next, ...readAgain } : next)
}

async function findOrCreateProject(
  tx: Db,
  place: ProjectPlace,
  tested: TestedProject,
): Promise<{ project: StoredProject; isNew: boolean }> {
  const { at, by, projectId } = tested
  const key = { targetId: place.targetId, placeKey: placeKeyOf(place), at }
  const here = await lockProject(tx, key)
  if (here) return { project: here, isNew: false }
  // Renamed, and no other project is at its new path.
  const renamed = projectId === undefined ? undefined : await lockProjectById(tx, projectId, at)
  if (renamed && renamed.target_id === place.targetId) return { project: renamed, isNew: false }
  const inserted = await insertProject(tx, {
    ...toColumns(place, tested),
    org_id: place.orgId,
    target_id: place.targetId,
    status: 'active',
    test_frequency: 'daily',
    owner_id: null,
    importer_id: by.id,
    importer_name: by.name,
    business_criticality: '[]',
    environment: '[]',
    lifecycle: '[]',
    tags: '[]',
    created_at: at,
    next_test_at: null,
    monitored_at: tested.cause === 'monitor' ? at : null,
  })
  if (inserted) return { project: inserted, isNew: true }
  return { project: (await lockProject(tx, key))!, isNew: false }
}

function toColumns(place: ProjectPlace, { test, source, contentDigest, cause, at }: TestedProject) {
  return {
    place_key: placeKeyOf(place),
    name: place.name,
    origin: place.origin,
    type: place.type,
    target_file: place.targetFile,
    target_reference: place.targetReference,
    total_dependencies: test.dependencyCount,
    licenses: JSON.stringify(countLicenses(test.graph)),
    content_digest: contentDigest,
    failure: null,
    is_complete: test.coverage.complete ? 1 : 0,
    updated_at: at,
    tested_at: at,
    ...(cause === 'monitor' && { monitored_at: at }),
    ...(source !== undefined && { source_read_at: at, ...readAgain }),
  }
}

interface TestedIssue extends NewIssue {
  /** Package indices of the graph. */
  readonly indices: readonly number[]
}

async function listVulnerabilities(
  tx: Db,
  projectNumber: number,
  { graph, indices }: { graph: StoredGraph; indices: GraphIndices },
): Promise<TestedIssue[]> {
  const rows = await listIssuesOfProject(tx, { projectNumber })
  return [...Map.groupBy(rows, ({ issue_id }) => issue_id)].map(([issueId, own]) => {
    const of = own.flatMap(({ package_number }) => indices.get(Number(package_number)) ?? [])
    const [{ severity, title }] = own as [(typeof own)[number]]
    const packages = of.map((index) => graph.packages[index]!)
    return { issueId, type: 'vulnerability', severity: toSeverity(severity), title, indices: of, packages }
  })
}

function toLicenseIssues(type: string, graph: StoredGraph, policy: LicensePolicy | undefined): TestedIssue[] {
  const { packageManager } = getPackageManager(type)
  return listLicenseFindings(graph, { policy, packageManager }).map(
    ({ issueId, severity, offense, packages: indices }) => {
      const packages = indices.map((index) => graph.packages[index]!)
      return { issueId, type: 'license', severity, title: toLicenseTitle(offense), indices, packages }
    },
  )
}

async function listKnown(
  tx: Db,
  project: StoredProject,
  { policy, at }: { policy: LicensePolicy | undefined; at: number },
): Promise<ReadonlyMap<string, FormerIssue>> {
  const ignored = await listIgnoredIds(tx, project.number, at)
  const createdAt = Number(project.created_at)
  const formerIssues = new Map<string, FormerIssue>()
  for (const row of await listIssuesOfProject(tx, { projectNumber: project.number })) {
    const knownSince = Number(row.known_since)
    const since =
      formerIssues.get(row.issue_id)?.since ?? (knownSince > 0 ? Math.max(createdAt, knownSince) : undefined)
    // Rows are ordered by severity, worst first.
    const { severity } = formerIssues.get(row.issue_id) ?? { severity: toSeverity(Number(row.severity)) }
    formerIssues.set(row.issue_id, { severity, isIgnored: ignored.has(row.issue_id), since })
  }
  const state = policy && (await findState(tx, project.number))
  if (!state) return formerIssues
  const { packageManager } = getPackageManager(project.type)
  for (const { issueId, severity } of listLicenseFindings(await unpackGraph(state.graph), { policy, packageManager }))
    formerIssues.set(issueId, { severity, isIgnored: ignored.has(issueId), since: undefined })
  return formerIssues
}

function toCounts(issues: readonly NewIssue[]): TestCounts {
  return {
    vulnerabilities: countBySeverity(issues.filter(({ type }) => type === 'vulnerability')),
    licenses: countBySeverity(issues.filter(({ type }) => type === 'license')),
  }
}

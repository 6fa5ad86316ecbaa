import { parseIgnorePath, parsePackage } from '#analysis/discovery/policy-files/ignore-path.ts'
import {
  createIgnoreJudge,
  type Fixes,
  FOREVER,
  type IgnoreRule,
  type IssuePlace,
  NO_FIXES,
} from '#analysis/findings/ignore-rules.ts'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { Advice, StoredGraph } from '#analysis/findings/stored-graph.ts'
import type { LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { findPolicy } from '#features/license-policies/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { createSlices } from '#foundation/slices.ts'
import { getPackageManager, type PackageManager } from '#scanning/reading/package-managers.ts'
import { toLicenseIssueId } from '#scanning/results/license-issues.ts'
import { saveIssueCounts } from '../counts/issue-counts-store.ts'
import { listIssuesOfProject } from '../counts/issues-store.ts'
import { listLicenseFindings } from '../counts/license-findings.ts'
import { indicesByText, textIn } from '../storage/packages-store.ts'
import { unpackAdvice, unpackGraph } from '../storage/packed-state.ts'
import { findState } from '../storage/states-store.ts'
import { findProjectOf, type IgnoreRow, listIgnores, replaceIgnored, saveJudgment } from './ignored-store.ts'

/**
 * Evaluates all ignores of a project against a test whose packages were just stored; `haveChanged` if the test also
 * changed the ignores. The project must be locked.
 */
export async function rejudgeIgnores(
  tx: Db,
  projectNumber: number,
  graph: StoredGraph,
  { advice, now, haveChanged }: { advice: readonly Advice[]; now: number; haveChanged: boolean },
): Promise<void> {
  const rows = await listIgnores(tx, projectNumber)
  if (rows.length > 0 || haveChanged) await judge(tx, projectNumber, { rows, issueIds: 'all', graph, advice, now })
}

/**
 * Evaluates a project's ignores of these issues, or of all, against its last test and the current issues of its
 * packages: after a change of the ignores or of the issues. The project must be locked.
 */
export async function rejudgeStored(tx: Db, projectNumber: number, rejudged: Rejudged): Promise<void> {
  await rejudge(tx, projectNumber, rejudged)
  await saveIssueCounts(tx, { numbers: [projectNumber] }, rejudged.now)
}

interface Rejudged {
  readonly issueIds: readonly string[] | 'all'
  readonly now: number
}

async function rejudge(tx: Db, projectNumber: number, { issueIds, now }: Rejudged): Promise<void> {
  const rows = await listIgnores(tx, projectNumber)
  if (rows.length === 0) return replaceIgnored(tx, projectNumber, { issueIds, ignored: new Map() })
  const state = await findState(tx, projectNumber)
  const graph = state ? await unpackGraph(state.graph) : NOTHING
  const advice = state ? await unpackAdvice(state.advice) : []
  await judge(tx, projectNumber, { rows, issueIds, graph, advice, now })
}

const NOTHING: StoredGraph = { packages: [], nodes: [] }

interface Judgment {
  /** All ignores of the project. */
  readonly rows: readonly IgnoreRow[]
  readonly issueIds: readonly string[] | 'all'
  readonly graph: StoredGraph
  readonly advice: readonly Advice[]
  readonly now: number
}

async function judge(tx: Db, projectNumber: number, judgment: Judgment): Promise<void> {
  const { rows, issueIds, graph, now } = judgment
  const project = await findProjectOf(tx, projectNumber)
  if (!project) return
  const manager = getPackageManager(project.type)
  const vulnerabilities = rows.some(({ issue_id }) => !isLicenseIssue(issue_id))
    ? await findVulnerabilities(tx, projectNumber, { ...judgment, manager })
    : NO_VULNERABILITIES
  const policy = rows.some(({ issue_id }) => isLicenseIssue(issue_id))
    ? await findPolicy(tx, project.org_id)
    : undefined
  const { ignoredUntil, effectOf } = createIgnoreJudge(graph, manager.registry)
  const touched = issueIds === 'all' ? undefined : touchedBy(rows, issueIds, vulnerabilities)
  const ignored = new Map<string, number>()
  const pause = createSlices()
  for (const [issueId, ofIssue] of Map.groupBy(rows, ({ issue_id }) => vulnerabilities.idOf(issue_id))) {
    if (touched && !touched.has(issueId)) continue
    await pause()
    const { there, possible } = isLicenseIssue(issueId)
      ? licensePlaces(graph, issueId, { policy, manager })
      : { there: vulnerabilities.placesOf(issueId), possible: vulnerabilities.placesOf(issueId) }
    const rules = ofIssue.map((row) => ({ row, rule: toRule(row) }))
    const until = ignoredUntil(
      possible,
      rules.flatMap(({ rule }) => (rule.until > now ? [rule] : [])),
    )
    if (until !== undefined) ignored.set(issueId, until)
    const judged = rules.map(({ row, rule }) => ({ row, effect: effectOf(rule, there) }))
    const changed = judged.filter(({ row, effect }) => effect !== row.effect || issueId !== row.known_as)
    for (const [effect, own] of Map.groupBy(changed, (judgment) => judgment.effect)) {
      await saveJudgment(
        tx,
        own.map(({ row }) => row.id),
        { knownAs: issueId, effect },
      )
    }
  }
  await replaceIgnored(tx, projectNumber, { issueIds: touched ? [...touched] : 'all', ignored })
}

/** Lists the issues to which ignores with some ids apply, or applied until now. */
function touchedBy(rows: readonly IgnoreRow[], issueIds: readonly string[], { idOf }: Vulnerabilities): Set<string> {
  const ids = new Set(issueIds)
  const own = rows.filter(({ issue_id, known_as }) => ids.has(issue_id) || ids.has(known_as))
  return new Set([...issueIds.map(idOf), ...issueIds, ...own.flatMap((row) => [row.known_as, idOf(row.issue_id)])])
}

interface Vulnerabilities {
  /** Returns the id under which the project has an issue: that of an alias of the given id, or the id itself. */
  idOf(issueId: string): string
  placesOf(issueId: string): readonly IssuePlace[]
}

const NO_VULNERABILITIES: Vulnerabilities = { idOf: (issueId) => issueId, placesOf: () => [] }

interface JudgeContext {
  readonly graph: StoredGraph
  readonly advice: readonly Advice[]
  readonly manager: PackageManager
}

/**
 * Finds the vulnerabilities that ignores name. The id of a vulnerability changes when another record of it is
 * published, so an ignore applies under every alias, if the alias names only one issue of the project.
 */
async function findVulnerabilities(
  tx: Db,
  projectNumber: number,
  { graph, advice, manager: { registry } }: JudgeContext,
): Promise<Vulnerabilities> {
  const rows = await listIssuesOfProject(tx, { projectNumber })
  const byId = Map.groupBy(rows, ({ issue_id }) => issue_id)
  const byAlias = new Map<string, Set<string>>()
  for (const { issue_id, facts } of rows) {
    for (const alias of aliasesOf(facts)) byAlias.set(alias, (byAlias.get(alias) ?? new Set()).add(issue_id))
  }
  const indices = indicesByText(graph, registry)
  /** A test has advice for each issue known at that time, under its id at that time. */
  const adviceOn = (issueId: string, facts: string, index: number) => {
    const ids = [issueId, ...aliasesOf(facts)]
    return advice.find((advice) => advice.package === index && ids.includes(advice.issueId))
  }
  return {
    idOf(issueId) {
      const [only, ...others] = byAlias.get(issueId) ?? []
      return byId.has(issueId) || only === undefined || others.length > 0 ? issueId : only
    },
    placesOf: (issueId) =>
      (byId.get(issueId) ?? []).flatMap((row) =>
        (indices.get(textIn(row.registry, row)) ?? []).map((index) => ({
          package: index,
          ...toFixes(adviceOn(issueId, row.facts, index)),
        })),
      ),
  }
}

function aliasesOf(facts: string): string[] {
  const { cve, ghsa, otherIds } = JSON.parse(facts) as IssueFacts
  return [...cve, ...ghsa, ...otherIds]
}

/** Converts a stored ignore to a rule. Its path was valid when it was stored. */
export function toRule(row: Pick<IgnoreRow, 'path' | 'disregard_if_fixable' | 'expires_at'>): IgnoreRule {
  const path = parseIgnorePath(row.path)
  if (typeof path === 'string') throw new Error(`a stored path of an ignore ${path}`)
  return { path, disregardIfFixable: row.disregard_if_fixable === 1, until: row.expires_at ?? FOREVER }
}

/**
 * Returns the fixes of a vulnerability for ignore rules. Issues found since the last test count as fixable until the
 * next one.
 */
export function toFixes(advice: Advice | undefined): Fixes {
  if (advice === undefined) return { isPinnable: true, upgradable: [] }
  return { isPinnable: advice.isPinnable, upgradable: advice.upgradedPaths.map((path) => path.map(parsePackage)) }
}

function isLicenseIssue(issueId: string): boolean {
  return issueId.startsWith('lic:')
}

/**
 * Returns the packages for an ignored license issue. Such issues change with the license policy, after which ignores
 * are not evaluated again. So the ignore is evaluated for all packages that its id may name, whatever the policy.
 */
function licensePlaces(
  graph: StoredGraph,
  issueId: string,
  { policy, manager: { packageManager } }: { policy: LicensePolicy | undefined; manager: PackageManager },
): { there: IssuePlace[]; possible: IssuePlace[] } {
  const findings = listLicenseFindings(graph, { policy, packageManager })
  const spokenOf = graph.packages.flatMap(({ name }, index) =>
    index > 0 && issueId.startsWith(toLicenseIssueId(packageManager, name, NO_LICENSE)) ? [index] : [],
  )
  const toPlace = (index: number): IssuePlace => ({ package: index, ...NO_FIXES })
  const match = findings.find((finding) => finding.issueId === issueId)
  return { there: match?.packages.map(toPlace) ?? [], possible: spokenOf.map(toPlace) }
}

const NO_LICENSE = { license: '', severity: 'low', instructions: [] } as const

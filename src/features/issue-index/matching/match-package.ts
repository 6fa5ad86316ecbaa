import { schemes } from '#analysis/advisories/schemes.ts'
import { isStillImported } from '#analysis/findings/imported.ts'
import { type KnownIssue, toKnownIssue } from '#analysis/findings/known-issue.ts'
import { matchGraph } from '#analysis/findings/match-graph.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { OpenAdvisories } from '#scanning/advisories/open-advisories.ts'
import { type PackageIssueRow, toRow } from '../storage/known-issues-store.ts'
import { type PackageRow, parseVariant } from '../storage/packages-store.ts'

export function matchPackage({ snapshot, describe }: OpenAdvisories, row: PackageRow): KnownIssue[] {
  const registry = row.registry as Registry
  const coordinate = { name: row.name, version: row.version }
  const { notImported, ...others } = parseVariant(row.variant)
  const node = { package: coordinate, edges: [], ...others }
  const manager = { registry, versions: schemes[registry] }
  return matchGraph([{ package: coordinate, nodes: [0], node }], manager, snapshot)
    .flatMap(({ matches, advisoryName: name }) =>
      matches.map((match) => toKnownIssue(describe(match, { registry, name }), name)),
    )
    .filter(({ issueId, facts: { cve, ghsa, otherIds, packages } }) =>
      isStillImported({ ids: [issueId, ...cve, ...ghsa, ...otherIds], packages }, notImported),
    )
}

/** The writes that bring a package's issues up to date. */
export interface IssueChanges {
  readonly packageNumber: number
  /** New issues, unknown before under any id. */
  readonly added: readonly KnownIssue[]
  /** Issues known before under an alias. */
  readonly renamed: readonly KnownIssue[]
  readonly changed: readonly KnownIssue[]
  readonly removed: readonly string[]
}

/** Returns undefined if nothing changed. */
export function compareIssues(
  packageNumber: number,
  current: readonly KnownIssue[],
  stored: readonly PackageIssueRow[],
): IssueChanges | undefined {
  const before = new Map(stored.map((row) => [row.issue_id, row]))
  const ids = new Set(current.map(({ issueId }) => issueId))
  const removed = stored.flatMap(({ issue_id }) => (ids.has(issue_id) ? [] : [issue_id]))
  const [added, renamed, changed]: [KnownIssue[], KnownIssue[], KnownIssue[]] = [[], [], []]
  for (const issue of current) {
    const row = before.get(issue.issueId)
    if (row && !isSame(row, toRow({ packageNumber, issue }))) changed.push(issue)
    if (!row) (removed.some((id) => isAlias(issue, id)) ? renamed : added).push(issue)
  }
  const isNothing = [added, renamed, changed, removed].every(({ length }) => length === 0)
  return isNothing ? undefined : { packageNumber, added, renamed, changed, removed }
}

function isSame(a: PackageIssueRow, b: PackageIssueRow): boolean {
  return Number(a.severity) === b.severity && a.title === b.title && a.facts === b.facts
}

/** Returns the former id of each renamed issue, with the new one. */
export function renamesOf(all: readonly IssueChanges[]): ReadonlyMap<string, string> {
  return new Map(
    all.flatMap(({ renamed, removed }) =>
      renamed.flatMap((issue) => removed.filter((id) => isAlias(issue, id)).map((id) => [id, issue.issueId] as const)),
    ),
  )
}

function isAlias({ facts }: KnownIssue, id: string): boolean {
  return [facts.cve, facts.ghsa, facts.otherIds].some((ids) => ids.includes(id))
}

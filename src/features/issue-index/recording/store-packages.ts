import type { Registry } from '#analysis/registries/registry.ts'
import type { Db } from '#foundation/db/database.ts'
import { forEachInSlices } from '#foundation/slices.ts'
import type { ProjectTest } from '#scanning/results/project-form.ts'
import { noteOrgPackages } from '../packages/org-packages-store.ts'
import { findRelabeled, type Relabeled, toLabel } from '../packages/package-labels-store.ts'
import { noteRatedIssues } from '../policies/severities-store.ts'
import { beginMatched, findMatched, noteUnmatched, saveKnownIssues } from '../storage/known-issues-store.ts'
import {
  type FoundPackages,
  findOrCreateOrgNumber,
  findOrCreatePackages,
  type PackageKey,
  replaceProjectPackages,
  textOfStored,
  toPackageKey,
} from '../storage/packages-store.ts'

interface Owner {
  readonly projectNumber: number
  readonly orgId: string
}

/** Graph indices by the stored number of a package: two spellings of a name are one package. */
export type GraphIndices = ReadonlyMap<number, readonly number[]>

export interface StoredPackages {
  readonly indices: GraphIndices
  readonly orgNumber: number
  /** Numbers of the packages that the project contains now and did not before, and the reverse. */
  readonly added: readonly number[]
  readonly removed: readonly number[]
  /** Packages with issues that are new to the organization's list. */
  readonly newlyListed: readonly number[]
  /** Packages whose labels in the organization's list differ from the test. */
  readonly relabeled: Relabeled
}

/**
 * Stores the packages of a project's graph, with the test's issues for new packages. Requires the shared lock on known
 * issues.
 */
export async function storePackages(
  tx: Db,
  { projectNumber, orgId }: Owner,
  { test, at }: { test: ProjectTest; at: number },
): Promise<StoredPackages> {
  const { graph } = test
  const { numbers, created } = await findOrCreateAll(tx, test)
  const indices = new Map<number, number[]>()
  const numberOf = (index: number) => numbers.get(textOfStored(test.registry, graph.packages[index]!))
  await forEachInSlices(graph.packages.keys().drop(1), (index) => {
    const number = numberOf(index)
    // Packages that no registry published are only in the graph.
    if (number === undefined) return
    const existing = indices.get(number)
    if (existing) existing.push(index)
    else indices.set(number, [index])
  })
  await storeKnownIssues(tx, { created, numberOf: (index) => numberOf(index)! }, { test, at })
  const orgNumber = await findOrCreateOrgNumber(tx, orgId)
  const owner = { projectNumber, orgNumber }
  const direct = new Set(directPackages(graph).flatMap((index) => numberOf(index) ?? []))
  const { added, removed } = await replaceProjectPackages(tx, owner, { packages: new Set(indices.keys()), direct })
  const newlyListed = await noteRatedIssues(tx, { orgNumber, packages: added, at })
  const labels = new Map([...indices].map(([number, [index]]) => [number, toLabel(graph.packages[index!]!)]))
  await noteOrgPackages(tx, { orgNumber, packages: added, labels })
  const relabeled = await findRelabeled(tx, { orgNumber, labels })
  return { indices, orgNumber, added, removed, newlyListed, relabeled }
}

/** Returns the indices of the packages that the project declares itself. */
function directPackages({ nodes }: ProjectTest['graph']): number[] {
  return (nodes[0]?.edges ?? []).map((node) => nodes[node]!.package)
}

/** Finds or creates the packages of each registry, in a fixed order. Numbers are by `textOfStored`. */
async function findOrCreateAll(tx: Db, { registry, graph }: ProjectTest): Promise<FoundPackages> {
  const byRegistry = new Map<Registry, PackageKey[]>()
  await forEachInSlices(graph.packages.slice(1), (stored) => {
    const { registry: own = registry } = stored
    if (own === 'none') return
    const keys = byRegistry.get(own)
    if (keys) keys.push(toPackageKey(own, stored))
    else byRegistry.set(own, [toPackageKey(own, stored)])
  })
  const numbers = new Map<string, number>()
  const created: number[] = []
  for (const own of [...byRegistry.keys()].sort()) {
    const result = await findOrCreatePackages(tx, own, byRegistry.get(own)!)
    await forEachInSlices(result.numbers, ([text, number]) => numbers.set(`${own}\n${text}`, number))
    created.push(...result.created)
  }
  return { numbers, created }
}

interface Created {
  readonly created: readonly number[]
  /** Returns the stored number of a package of the graph. */
  numberOf(index: number): number
}

/**
 * Stores the test's issues for new packages. If the test used other advisories than the current match, the packages are
 * marked for another match.
 */
async function storeKnownIssues(
  tx: Db,
  { created, numberOf }: Created,
  { test, at }: { test: ProjectTest; at: number },
): Promise<void> {
  if (created.length === 0) return
  const isNew = new Set(created)
  const issues = test.issues
    .map((issue) => ({ packageNumber: numberOf(issue.package), issue }))
    .filter(({ packageNumber }) => isNew.has(packageNumber))
  await saveKnownIssues(tx, issues)
  const { digest } = test.coverage.advisories
  await beginMatched(tx, digest, at)
  const matched = await findMatched(tx)
  if ((matched?.next_digest ?? matched?.digest) !== digest) await noteUnmatched(tx, created)
}

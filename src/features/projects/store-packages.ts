import type { Db } from '#foundation/db/database.ts'
import { forEachInSlices } from '#foundation/slices.ts'
import { beginMatched, findMatched, noteOrgIssues, noteUnmatched, saveKnownIssues } from './known-issues-store.ts'
import { noteOrgPackages } from './org-packages-store.ts'
import {
  findOrCreateOrgNumber,
  findOrCreatePackages,
  type PackageKey,
  replaceProjectPackages,
  textOf,
  toPackageKey,
} from './packages-store.ts'
import type { ProjectTest } from './project-test.ts'

interface Owner {
  readonly projectNumber: number
  readonly orgId: string
}

/** A package's number in storage and its indices in the graph: two spellings of a name are one package. */
export type GraphIndices = ReadonlyMap<number, readonly number[]>

export interface StoredPackages {
  readonly indices: GraphIndices
  readonly orgNumber: number
  /** Numbers of packages that the project did not contain before, and of those that it no longer contains. */
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/**
 * Makes the project contain the packages of its graph, and brings what the test knows of those that nobody had before.
 * The caller shares the lock on known issues.
 */
export async function storePackages(
  tx: Db,
  { projectNumber, orgId }: Owner,
  { test, at }: { test: ProjectTest; at: number },
): Promise<StoredPackages> {
  const { registry, graph } = test
  const keys: PackageKey[] = []
  await forEachInSlices(graph.packages.slice(1), (found) => keys.push(toPackageKey(registry, found)))
  const { numbers, created } = await findOrCreatePackages(tx, registry, keys)
  const indices = new Map<number, number[]>()
  await forEachInSlices(keys.entries(), ([at, key]) => {
    const number = numbers.get(textOf(key))!
    const known = indices.get(number)
    if (known) known.push(at + 1)
    else indices.set(number, [at + 1])
  })
  await storeKnownIssues(tx, { created, numberOf: (index) => numbers.get(textOf(keys[index - 1]!))! }, { test, at })
  const orgNumber = await findOrCreateOrgNumber(tx, orgId)
  const { added, removed } = await replaceProjectPackages(tx, { projectNumber, orgNumber }, new Set(indices.keys()))
  await noteOrgPackages(tx, { orgNumber, packages: added })
  await noteOrgIssues(tx, { orgNumber, packages: added, at })
  return { indices, orgNumber, added, removed }
}

interface Created {
  readonly created: readonly number[]
  /** The number of a package of the graph. */
  numberOf(index: number): number
}

/**
 * What is known of new packages is what the test found; where it found that with other advisories than all packages are
 * being matched with, they are noted to be matched again.
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

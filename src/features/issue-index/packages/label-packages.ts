import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { findPackagesOfProject, textIn, textOfStored } from '../storage/packages-store.ts'
import { unpackGraph } from '../storage/packed-state.ts'
import { findState } from '../storage/states-store.ts'
import { changeProjectCounts } from './org-packages-store.ts'
import { findLabels, findUnlabeled, type PackageLabel, toLabel, type UnlabeledPackage } from './package-labels-store.ts'

/**
 * Labels packages that were stored by versions without labels. Reads one project at a time, since its graph labels many
 * packages. Labels that a test stores meanwhile stay. May be interrupted at any point.
 */
export async function labelPackages(db: Db, signal: AbortSignal | undefined): Promise<void> {
  for (let next = await findUnlabeled(db); next; next = await findUnlabeled(db)) {
    const unlabeled = next
    await inTransaction(db, async (tx) => {
      await shareLock(tx, 'known-issues')
      await labelWith(tx, unlabeled)
    })
    signal?.throwIfAborted()
    await nextTurn()
  }
}

async function labelWith(tx: Db, { org_number, package_number, name, project_number }: UnlabeledPackage) {
  const orgNumber = Number(org_number)
  const own = Number(package_number)
  const graphLabels = project_number === null ? new Map() : await readLabels(tx, Number(project_number))
  // The project may have been tested since and no longer contain the package; use its name until a test labels it.
  if (!graphLabels.has(own)) graphLabels.set(own, { spelling: name, license: null })
  const labels = new Map<number, PackageLabel>()
  for (const [number, { spelling }] of await findLabels(tx, orgNumber, [...graphLabels.keys()])) {
    if (spelling === null) labels.set(number, graphLabels.get(number)!)
  }
  await changeProjectCounts(tx, [], { orgNumber, labels })
}

async function readLabels(db: Db, projectNumber: number): Promise<Map<number, PackageLabel>> {
  const labels = new Map<number, PackageLabel>()
  const state = await findState(db, projectNumber)
  const { type, packages } = await findPackagesOfProject(db, projectNumber)
  if (!state || type === undefined) return labels
  const { registry } = getPackageManager(type)
  const graph = await unpackGraph(state.graph)
  const packagesByText = new Map(
    graph.packages.slice(1).map((storedPackage) => [textOfStored(registry, storedPackage), storedPackage]),
  )
  for (const row of packages) {
    const match = packagesByText.get(textIn(row.registry, row))
    // The graph no longer contains it.
    labels.set(Number(row.number), match ? toLabel(match) : { spelling: row.name, license: null })
  }
  return labels
}

import type { OpenRepository } from '#features/integrations/open-repository.ts'
import { findOrCreateTarget } from '#features/issue-index/recording/record-store.ts'
import { findPolicySetting } from '#features/policy-files/setting-store.ts'
import { systemActor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Services } from '#foundation/services.ts'
import { openSourceTree, type SourceTree } from '#scanning/reading/source-tree.ts'
import type { TreeReader } from '#scanning/reading/survey-tree.ts'
import { type Choice, chooseManifests } from './choose-manifests.ts'
import { insertManifests } from './manifests-store.ts'
import { deactivateVanished, listKnownProjects, noteUnreadProjects } from './projects-store.ts'
import { type ImportRow, type LeftOut, saveListing } from './store.ts'
import { targetIsGone } from './test-manifests.ts'

export interface TreeReaders {
  createReader(orgId: string, signal: AbortSignal): TreeReader
}

export interface Opened {
  readonly row: ImportRow
  readonly repository: OpenRepository
  readonly signal: AbortSignal
}

/** Lists the manifests of an import. A resumed import keeps its first list. */
export async function listManifests(
  { db, config, now, createReader }: Pick<Services, 'db' | 'config' | 'now'> & TreeReaders,
  { row, repository, signal }: Opened,
): Promise<SourceTree> {
  const { resolved, source } = repository
  if (row.target_id === null && (row.listed_at !== null || row.cause === 'schedule')) throw targetIsGone()
  const files = row.files === null ? undefined : (JSON.parse(row.files) as string[])
  const at = now()
  const target = { orgId: row.org_id, integrationId: row.integration_id, ...resolved }
  const targetId = row.target_id ?? (await inTransaction(db, (tx) => findOrCreateTarget(tx, target, at)))
  const { reference, revision } = resolved
  const existing = await listKnownProjects(db, { targetId, reference })
  const tree = await openSourceTree(source, {
    more: new Set([...(files ?? []), ...existing.map(({ path }) => path)]),
    signal,
    reader: createReader(row.org_id, signal),
  })
  if (row.listed_at !== null) return tree
  const policyFiles = await findPolicySetting(db, row.org_id)
  const wish = { files, exclusions: row.exclusion_globs, onlyKnown: row.cause === 'schedule', policyFiles, at }
  const chosen = await chooseManifests(tree, { wish, existing })
  const { manifests, vanished, notRead, installed, excluded, policyNotes } = chosen
  const most = config.importManifests
  const isTruncated = manifests.length > most
  const truncated = `Only the first ${most} of ${manifests.length} manifests were imported. Import the others by naming them in files.`
  const leftOut = [
    ...(isTruncated ? [truncated] : []),
    ...tellOfSubmodules(tree.submodules),
    ...tellOfNotRead(notRead),
    ...tellOfUnlistedPython(notRead),
    ...tellOfExcluded(excluded),
    ...policyNotes.slice(0, MAX_NAMED),
  ]
  const listed: LeftOut[] = [
    ...manifests
      .slice(most)
      .map(({ path, type }) => ({ path, package_manager: type || null, reason: 'limit' as const })),
    ...tree.submodules.map((path) => ({ path, package_manager: null, reason: 'submodule' as const })),
    ...notRead.map(({ path, manager, isOutOfScope }) => {
      const reason = isOutOfScope ? ('out_of_scope' as const) : ('package_manager' as const)
      return { path, package_manager: manager, reason }
    }),
    ...installed.map((path) => ({ path, package_manager: null, reason: 'installed_packages' as const })),
    ...excluded.map(({ path, type }) => ({ path, package_manager: type, reason: 'policy_file' as const })),
  ]
  const message = leftOut.length === 0 ? null : leftOut.join(' ')
  await inTransaction(db, async (tx) => {
    const listing = { targetId, reference, revision, isTruncated, message, leftOut: listed, at: now() }
    if (!(await saveListing(tx, row.id, listing))) return
    await insertManifests(tx, row.id, { manifests: manifests.slice(0, most), at: listing.at })
    const gone = await deactivateVanished(
      tx,
      vanished.map(({ id }) => id),
      listing.at,
    )
    if (gone.length > 0) await auditVanished(tx, row, { vanished, gone, at: listing.at })
    const leftKnown = manifests.slice(most).flatMap(({ projectId }) => (projectId === undefined ? [] : [projectId]))
    await noteUnreadProjects(tx, leftKnown, { message: truncated, at: listing.at })
  })
  return tree
}

const MAX_NAMED = 5

function tellOfSubmodules(paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  return [`Submodules are not read; import their repositories instead: ${nameSome(paths)}.`]
}

function tellOfNotRead(all: Choice['notRead']): string[] {
  const others = all.filter(({ manager, isOutOfScope }) => manager !== 'Python' && !isOutOfScope)
  if (others.length === 0) return []
  const names = others.map(({ path, manager }) => `${path} (${manager})`)
  return [`Files of unsupported package managers were not tested: ${nameSome(names)}.`]
}

function tellOfUnlistedPython(all: Choice['notRead']): string[] {
  const files = all.filter(({ manager }) => manager === 'Python').map(({ path }) => path)
  if (files.length === 0) return []
  const todo = 'Add a lockfile or a requirements.txt where there are dependencies'
  return [`No file beside these lists dependencies of Python in a form that is read: ${nameSome(files)}. ${todo}.`]
}

function tellOfExcluded(all: Choice['excluded']): string[] {
  if (all.length === 0) return []
  const names = all.map(({ path, by }) => `${path} (${by})`)
  return [`Projects excluded by policy files were not tested: ${nameSome(names)}.`]
}

function nameSome(names: readonly string[]): string {
  const text = names.slice(0, MAX_NAMED).join(', ')
  return names.length > MAX_NAMED ? `${text} and ${names.length - MAX_NAMED} more, listed with the import` : text
}

const MAX_AUDITED = 100

async function auditVanished(
  tx: Db,
  row: ImportRow,
  { vanished, gone, at }: { vanished: Choice['vanished']; gone: readonly string[]; at: number },
): Promise<void> {
  const paths = vanished.filter(({ id }) => gone.includes(id)).map(({ path }) => path)
  await recordAudit(
    { tx, actor: systemActor, at },
    { id: row.id, group_id: null, org_id: row.org_id },
    {
      action: 'import.deactivate_projects',
      after: { reason: 'their manifests are gone', projects: gone.length, manifests: paths.slice(0, MAX_AUDITED) },
    },
  )
}

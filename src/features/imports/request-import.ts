import { randomUUID } from 'node:crypto'
import { parseExclusions } from '#analysis/discovery/projects-in-tree/exclusions.ts'
import { resolve } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import type { CheckedTarget, Repositories } from '#features/integrations/open-repository.ts'
import type { StoredIntegration } from '#features/integrations/store.ts'
import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { addJob } from '#foundation/jobs/store.ts'
import { Problem } from '#foundation/problem.ts'
import { IMPORT_JOB } from './import.job.ts'
import { type ImportRow, insertImport } from './store.ts'
import type { V1NewImport } from './v1-resource.ts'

export interface ImportInput {
  readonly target: CheckedTarget
  /** Undefined for all manifests. */
  readonly files: readonly string[] | undefined
  readonly exclusionGlobs: string | undefined
}

/** Parses a request. Throws 400 for invalid input, 422 for unsupported targets. */
export function parseWanted(
  repositories: Repositories,
  integration: StoredIntegration,
  { target, files = [], exclusionGlobs }: V1NewImport,
): ImportInput {
  const exclusions = exclusionGlobs === undefined ? undefined : parseExclusions(exclusionGlobs)
  if (exclusions && 'problem' in exclusions) {
    throw new Problem('invalid-request', `exclusionGlobs ${exclusions.problem}`, {
      source: { pointer: '/exclusionGlobs' },
    })
  }
  const paths = files.map(({ path }, index) => {
    const plain = resolve('', path)
    if (plain !== undefined && plain !== '') return plain
    throw new Problem('invalid-request', `/files/${index}/path must be the path of a file in the repository`, {
      source: { pointer: `/files/${index}/path` },
    })
  })
  return {
    target: repositories.check(integration, target),
    files: paths.length === 0 ? undefined : [...new Set(paths)],
    exclusionGlobs,
  }
}

const MAX_CHECKS = 8
let checks = 0

/**
 * Throws if the repository is found to be unreadable within `seconds`; otherwise the import itself reports it. Skips
 * the check while many others run.
 */
export async function refuseUnreadable(
  repositories: Repositories,
  integration: StoredIntegration,
  { target, seconds, client }: { target: object; seconds: number; client: AbortSignal },
): Promise<void> {
  if (seconds === 0 || checks >= MAX_CHECKS) return
  const signal = AbortSignal.any([client, AbortSignal.timeout(seconds * 1000)])
  const late = new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
  checks++
  const lookup = repositories
    .find(integration, target, { signal })
    .then(() => {})
    .finally(() => {
      checks--
    })
  try {
    await Promise.race([lookup, late])
  } catch (error) {
    if (!signal.aborted) throw error
  }
  client.throwIfAborted()
  lookup.catch(() => {})
}

export async function requestImport(
  change: OrgChange,
  integration: StoredIntegration,
  { target, files, exclusionGlobs }: ImportInput,
): Promise<ImportRow> {
  const { tx, org, actor, at } = change
  const row = await insertImport(tx, {
    ...newImport({ orgId: org.id, integrationId: integration.id, at }),
    name: target.name,
    target: JSON.stringify(target.target),
    files: files === undefined ? null : JSON.stringify(files),
    exclusion_globs: exclusionGlobs ?? null,
    cause: 'request',
    requested_by_id: actor.id ?? null,
    requested_by_name: actor.name,
    reference: target.branch ?? null,
  })
  await addImportJob(tx, row)
  await recordAudit(
    change,
    { id: row.id, org },
    {
      action: 'import.create',
      after: {
        integration_id: integration.id,
        name: row.name,
        target: target.target,
        ...(files !== undefined && { files: files.length }),
        ...(exclusionGlobs !== undefined && { exclusion_globs: exclusionGlobs }),
      },
    },
  )
  return row
}

export function newImport({ orgId, integrationId, at }: { orgId: string; integrationId: string; at: number }) {
  return {
    id: randomUUID(),
    org_id: orgId,
    integration_id: integrationId,
    target_id: null,
    state: 'pending',
    revision: null,
    message: null,
    is_truncated: 0,
    created_at: at,
    started_at: null,
    listed_at: null,
    ended_at: null,
  }
}

export async function addImportJob(tx: Db, { id, org_id, created_at }: ImportRow): Promise<void> {
  await addJob(tx, { kind: IMPORT_JOB, payload: { importId: id }, dueAt: created_at, orgId: org_id }, created_at)
}

import { type Static, Type } from 'typebox'
import { toUuid } from '#foundation/digest-uuid.ts'
import { resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { ManifestCounts, ManifestRow } from './manifests-store.ts'
import { type ImportRow, type LeftOut, leftOutReasons } from './store.ts'

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])
const Count = Type.Integer({ minimum: 0 })

export const states = ['pending', 'complete', 'failed', 'aborted'] as const
export const causes = ['request', 'schedule'] as const
export const manifestStates = ['waiting', 'done', 'failed'] as const

const { properties } = resource(
  'import',
  Type.Object({
    name: Type.String({ description: 'Name of the target' }),
    state: Type.Enum(states, {
      description: 'failed: the manifests could not be listed; aborted: canceled',
    }),
    cause: Type.Enum(causes, { description: 'request: started by a client; schedule: due again' }),
    target: Type.Record(Type.String(), Type.Unknown(), { description: 'The target of the request' }),
    files: OrNull(Type.Array(Type.String(), { description: 'Requested manifests; null for all' })),
    exclusion_globs: OrNull(Type.String()),
    reference: OrNull(
      Type.String({ description: 'The branch, once known; HEAD if the repository’s HEAD is detached' }),
    ),
    revision: OrNull(
      Type.String({ description: 'The revision of all manifests: a commit, or the digest of an archive' }),
    ),
    message: OrNull(Type.String({ description: 'Reason for a failed or incomplete import' })),
    is_truncated: Type.Boolean({ description: 'Not all manifests were imported' }),
    left_out: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          package_manager: OrNull(Type.String()),
          reason: Type.Enum(leftOutReasons, {
            description:
              'limit: beyond the maximum of manifests for one import; package_manager: not supported; out_of_scope: no test of packages covers such files; installed_packages: a folder of installed packages',
          }),
        }),
        { description: 'All files found but not tested; only in the response for a single import' },
      ),
    ),
    manifests: Type.Object({ waiting: Count, done: Count, failed: Count }),
    requested_by: Type.Object({ id: OrNull(Type.String()), name: Type.String() }),
    created_at: Timestamp,
    started_at: OrNull(Timestamp),
    listed_at: OrNull(Timestamp),
    ended_at: OrNull(Timestamp),
  }),
)

const OfIntegration = Type.Object({ data: Type.Object({ type: Type.Literal('integration'), id: Uuid }) })
const OfTarget = Type.Object({ data: Type.Object({ type: Type.Literal('target'), id: Uuid }) })

export const Import = Type.Object({
  ...properties,
  relationships: Type.Object({
    integration: OfIntegration,
    target: Type.Optional(OfTarget),
  }),
})

export const ImportManifest = resource(
  'import_manifest',
  Type.Object({
    path: Type.String(),
    package_manager: OrNull(Type.String({ description: 'Null if the file is not a manifest' })),
    state: Type.Enum(manifestStates),
    project_id: OrNull(Uuid),
    message: OrNull(Type.String({ description: 'Reason for a missing or incomplete result' })),
    ended_at: OrNull(Timestamp),
  }),
)

nameSchemas({ Import, ImportManifest })

export function toResource(row: ImportRow, manifests: ManifestCounts): Static<typeof Import> {
  return {
    id: row.id,
    type: 'import',
    attributes: {
      name: row.name,
      state: row.state as (typeof states)[number],
      cause: row.cause as (typeof causes)[number],
      target: JSON.parse(row.target) as Record<string, unknown>,
      files: row.files === null ? null : (JSON.parse(row.files) as string[]),
      exclusion_globs: row.exclusion_globs,
      reference: row.reference,
      revision: row.revision,
      message: row.message,
      is_truncated: row.is_truncated === 1,
      manifests,
      requested_by: { id: row.requested_by_id, name: row.requested_by_name },
      created_at: toTimestamp(row.created_at),
      started_at: timeOrNull(row.started_at),
      listed_at: timeOrNull(row.listed_at),
      ended_at: timeOrNull(row.ended_at),
    },
    relationships: {
      integration: { data: { type: 'integration', id: row.integration_id } },
      ...(row.target_id !== null && { target: { data: { type: 'target', id: row.target_id } } }),
    },
  }
}

export function toWholeResource(row: ImportRow, manifests: ManifestCounts): Static<typeof Import> {
  const { attributes, ...rest } = toResource(row, manifests)
  const left_out = JSON.parse(row.left_out ?? '[]') as LeftOut[]
  return { ...rest, attributes: { ...attributes, left_out } }
}

export function toManifestResource(row: ManifestRow): Static<typeof ImportManifest> {
  return {
    // Manifests have no stored id.
    id: toUuid([`${row.import_id}\n${row.type}\n${row.path}`]),
    type: 'import_manifest',
    attributes: {
      path: row.path,
      package_manager: row.type === '' ? null : row.type,
      state: row.state as (typeof manifestStates)[number],
      project_id: row.project_id,
      message: row.message,
      ended_at: timeOrNull(row.ended_at),
    },
  }
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : toTimestamp(time)
}

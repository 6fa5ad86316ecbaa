import { type Static, Type } from 'typebox'
import { integrationKinds } from '#features/integrations/kinds.ts'
import { projectUrl } from '#features/projects/project-url.ts'
import { Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { ManifestRow } from './manifests-store.ts'
import type { ImportRow } from './store.ts'

const MAX_FILES = 1_000

function describeTargets(): string {
  const membersOf = ({ properties = {}, required = [] }: { properties?: object; required?: readonly string[] }) =>
    Object.keys(properties).map((name) => (required.includes(name) ? name : `${name} (optional)`))
  return integrationKinds.map(({ id, Target }) => `${id} ${membersOf(Target).join(', ')}`).join('; ')
}

/** `POST …/import`: the request. Each kind of integration defines its own target. */
export const V1NewImport = Type.Object(
  {
    target: Type.Record(Type.String(), Type.Unknown(), {
      description: `What to import. Its members depend on the kind of the integration: ${describeTargets()}`,
    }),
    files: Type.Optional(
      Type.Array(Type.Object({ path: Type.String({ minLength: 1, maxLength: 4096 }) }), {
        maxItems: MAX_FILES,
        description: 'Paths of the manifests to import; default, or if empty: all',
      }),
    ),
    exclusionGlobs: Type.Optional(
      Type.String({
        maxLength: 2000,
        description:
          'Names of folders to exclude, comma-separated: at most ten, of at most 100 characters each. Default: fixtures, tests, __tests__, node_modules; an empty text excludes nothing',
      }),
    ),
  },
  { additionalProperties: false },
)
export type V1NewImport = Static<typeof V1NewImport>

const V1Project = Type.Object({
  targetFile: Type.String({ description: 'Path of the manifest' }),
  success: Type.Boolean(),
  projectUrl: Type.String({
    description: 'Page of the project; its last part is the project’s id. Empty if there is no project',
  }),
  projectId: Type.Optional(Uuid),
  userMessage: Type.Optional(Type.String({ description: 'Reason for a missing or incomplete result' })),
})

const V1Log = Type.Object({
  name: Type.String({ description: 'Name of the target' }),
  created: Timestamp,
  status: Type.Enum(['pending', 'complete', 'failed', 'aborted']),
  truncated: Type.Optional(Type.Boolean({ description: 'Not all manifests were imported' })),
  userMessage: Type.Optional(
    Type.String({ description: 'An extension: the reason for a failed or incomplete import' }),
  ),
  projects: Type.Array(V1Project, { description: 'The manifests tested so far' }),
})

/** `GET …/import/{jobId}` */
export const V1ImportJob = Type.Object({
  id: Uuid,
  status: Type.Enum(['pending', 'complete'], {
    description: 'complete for every finished job; `logs` has the outcome of its targets',
  }),
  created: Timestamp,
  logs: Type.Array(V1Log),
})

nameSchemas({ V1NewImport, V1ImportedProject: V1Project, V1ImportLog: V1Log, V1ImportJob })

export function toV1Job(
  row: ImportRow,
  { ended, baseUrl }: { ended: readonly ManifestRow[]; baseUrl: string },
): Static<typeof V1ImportJob> {
  const created = toTimestamp(row.created_at)
  return {
    id: row.id,
    // Existing clients poll until this value and would poll for hours on any other.
    status: row.state === 'pending' ? 'pending' : 'complete',
    created,
    logs: [
      {
        name: row.name,
        created,
        status: row.state as Static<typeof V1Log>['status'],
        ...(row.is_truncated === 1 && { truncated: true }),
        ...(row.message !== null && { userMessage: row.message }),
        projects: ended.map((manifest) => toV1Project(manifest, { orgId: row.org_id, baseUrl })),
      },
    ],
  }
}

function toV1Project(
  { path, state, project_id, message }: ManifestRow,
  { orgId, baseUrl }: { orgId: string; baseUrl: string },
): Static<typeof V1Project> {
  return {
    targetFile: path,
    success: state === 'done',
    projectUrl: project_id === null ? '' : projectUrl(baseUrl, orgId, project_id),
    ...(project_id !== null && { projectId: project_id }),
    ...(message !== null && { userMessage: message }),
  }
}

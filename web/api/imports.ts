import type { Operations } from '../../src/client/api/operations.generated.ts'
import { type Answer, call, follow, send } from './client.ts'
import { readEvents } from './event-stream.ts'

export type Import = Answer<'getImport'>['data']
export type ImportState = Import['attributes']['state']
export type ImportQuery = Operations['listImports']['query']
export type ImportManifest = Answer<'listImportManifests'>['data'][number]
export type ManifestQuery = Operations['listImportManifests']['query']

/** The progress of an import, from its events. */
export interface Progress {
  readonly state: ImportState
  readonly is_listed: boolean
  readonly manifests: Import['attributes']['manifests']
}

export interface ImportWanted {
  readonly integrationId: string
  readonly target: Readonly<Record<string, unknown>>
  /** Empty for all. */
  readonly files: readonly string[]
  /** Undefined for the default exclusions; empty for none. */
  readonly exclusionGlobs: string | undefined
}

export function listImports(orgId: string, query: ImportQuery) {
  return call('listImports', { params: { org_id: orgId }, query })
}

export async function readImport(orgId: string, id: string): Promise<Import> {
  return (await call('getImport', { params: { org_id: orgId, import_id: id } })).data
}

export function listManifests(orgId: string, id: string, query: ManifestQuery) {
  return call('listImportManifests', { params: { org_id: orgId, import_id: id }, query })
}

/** Requests an import. Returns its id, which is only in a header of the response. */
export async function requestImport(orgId: string, wanted: ImportWanted, idempotencyKey: string): Promise<string> {
  const { integrationId, target, files, exclusionGlobs } = wanted
  const body = {
    target,
    ...(files.length > 0 && { files: files.map((path) => ({ path })) }),
    ...(exclusionGlobs !== undefined && { exclusionGlobs }),
  }
  const params = { orgId, integrationId }
  const answer = await send('importTargetV1', { params, body, idempotencyKey })
  // Browsers treat a request as pending until its body is read.
  await answer.text()
  return answer.headers.get('location')?.split('/').at(-1) ?? ''
}

export async function cancelImport(orgId: string, id: string): Promise<void> {
  await call('cancelImport', { params: { org_id: orgId, import_id: id } })
}

/** Yields each change until the import is finished or the stream ends. */
export async function* followImport(orgId: string, id: string, signal: AbortSignal): AsyncGenerator<Progress> {
  const stream = await follow('streamImportEvents', { params: { org_id: orgId, import_id: id }, signal })
  for await (const { data } of readEvents(stream)) yield JSON.parse(data) as Progress
}

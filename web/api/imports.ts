import { follow, send } from './client.ts'
import { readEvents } from './event-stream.ts'
import type { Import, ImportState } from './resources.ts'

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

/** Requests an import. Returns its id, which is only in a header of the response. */
export async function requestImport(orgId: string, input: ImportWanted, idempotencyKey: string): Promise<string> {
  const { integrationId, target, files, exclusionGlobs } = input
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

/** Yields each change until the import is finished or the stream ends. */
export async function* followImport(orgId: string, id: string, signal: AbortSignal): AsyncGenerator<Progress> {
  const stream = await follow('streamImportEvents', { params: { org_id: orgId, import_id: id }, signal })
  for await (const { data } of readEvents(stream)) yield JSON.parse(data) as Progress
}

import { type Static, Type } from 'typebox'
import { Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { ProjectRow } from './store.ts'

const failure = {
  message: Type.String({ description: 'Reason why the files cannot be read' }),
  since: Timestamp,
}
const ReadAt = Type.Union([Timestamp, Type.Null()], {
  description: 'Time at which the tested files were read; null if unknown',
})
const about = {
  description:
    'An extension: set while the files cannot be read from their source, so that the issues are those of the stored files',
}

export const StaleSource = Type.Union([Type.Object({ ...failure, read_at: ReadAt }), Type.Null()], about)
export const V1StaleSource = Type.Union([Type.Object({ ...failure, readAt: ReadAt }), Type.Null()], about)

nameSchemas({ StaleSource, V1StaleSource })

type Source = Pick<ProjectRow, 'source_failure' | 'source_failed_at' | 'source_read_at'>

export function toStaleSource(row: Source): Static<typeof StaleSource> {
  const stale = toV1StaleSource(row)
  return stale && { message: stale.message, since: stale.since, read_at: stale.readAt }
}

export function toV1StaleSource({
  source_failure,
  source_failed_at,
  source_read_at,
}: Source): Static<typeof V1StaleSource> {
  if (source_failure === null) return null
  return {
    message: source_failure,
    since: toTimestamp(source_failed_at!),
    readAt: source_read_at === null ? null : toTimestamp(source_read_at),
  }
}

/** Returns true if the last test covered everything, from current files. */
export function isWhole({ is_complete, source_failure }: Pick<ProjectRow, 'is_complete' | 'source_failure'>): boolean {
  return is_complete === 1 && source_failure === null
}

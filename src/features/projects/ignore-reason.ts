import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { IgnoreRow } from './ignored-store.ts'

/** Why something is ignored, beside what is. */
export function toIgnoreReason({ reason, expires_at }: Pick<IgnoreRow, 'reason' | 'expires_at'>) {
  return {
    reason,
    ...(expires_at !== null && { expires: toTimestamp(Number(expires_at)) }),
    source: 'api' as const,
  }
}

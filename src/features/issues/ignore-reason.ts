import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { IgnoreRow } from '../issue-index/ignores/ignored-store.ts'

/** Formats an ignore's reason for existing clients, with additional members. */
export function toIgnoreReason(row: IgnoreRow) {
  const { id, reason, expires_at, path, reason_type, ignored_by_id, ignored_by_name, source } = row
  return {
    reason,
    ...(expires_at !== null && { expires: toTimestamp(Number(expires_at)) }),
    // Existing clients use this word for policy files.
    source: source === 'repository' ? ('cli' as const) : ('api' as const),
    path,
    reasonType: reason_type,
    ignoredBy: { id: ignored_by_id, name: ignored_by_name },
    ...(isPolicy(source) && { policyId: id }),
  }
}

export function isPolicy(source: string): boolean {
  return source === 'policy' || source === 'group_policy'
}

import { type Static, Type } from 'typebox'
import { MAX_ISSUE_ID_BYTES, MAX_PATH_BYTES, parseIgnorePath } from '#analysis/discovery/policy-files/ignore-path.ts'
import { parseExpires } from '#analysis/discovery/policy-files/parse-expires.ts'
import { type ReasonType, reasonTypes } from '#analysis/discovery/policy-files/policy-file.ts'
import type { IgnoreRow } from '#features/issue-index/ignores/ignored-store.ts'
import { Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { proseText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { type Fault, Problem } from '#foundation/problem.ts'

export const IssueId = Type.String({
  minLength: 1,
  maxLength: MAX_ISSUE_ID_BYTES,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]+$',
  description: 'Id of a vulnerability or license issue, as in test results',
})

const ReasonKind = Type.Enum(reasonTypes, { description: 'Kind of decision' })
const DisregardIfFixable = Type.Boolean({
  description: 'Whether the ignore excludes paths that an upgrade, a patch or a pin would fix',
})

const shared = {
  ignorePath: Type.Optional(
    Type.String({
      maxLength: MAX_PATH_BYTES,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$',
      description:
        'The ignored dependency paths: packages starting with the direct dependency, joined by " > ", each a name, name@version, name@range or * for any number of packages. Longer paths that begin like this are ignored too. Default, or if empty: all paths',
    }),
  ),
  reason: Type.Optional(proseText(5_000, 'The reason; default: "None given"')),
  disregardIfFixable: DisregardIfFixable,
  expires: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Expiry: a day, or an ISO 8601 time (UTC without an offset). Default, or if empty: never',
    }),
  ),
}

/** Unknown members are accepted, since clients send back what they read. */
export const NewIgnore = Type.Object({ ...shared, reasonType: ReasonKind })
export const ReplacingIgnore = Type.Object({ ...shared, reasonType: Type.Optional(ReasonKind) })
type ReplacingIgnore = Static<typeof ReplacingIgnore>

const Details = Type.Object({
  reason: Type.String(),
  reasonType: ReasonKind,
  ignoredBy: Type.Object(
    { id: Type.String(), name: Type.String(), email: Type.String() },
    { description: 'Who changed it last; service accounts and apps have no email' },
  ),
  disregardIfFixable: DisregardIfFixable,
  expires: Type.Optional(Timestamp),
  created: Timestamp,
})

/** An object with one member per path, named by the path. */
export const IgnoreEntry = Type.Record(Type.String(), Details)
export const IgnoreEntries = Type.Array(IgnoreEntry)
export const IgnoresByIssue = Type.Record(Type.String(), IgnoreEntries)

nameSchemas({ NewIgnore, ReplacingIgnore, IgnoreEntry, IgnoreEntries, IgnoresByIssue })
type IgnoreEntry = Static<typeof IgnoreEntry>

export function toEntry(row: IgnoreRow): IgnoreEntry {
  return toMergedEntry([row])
}

export function toMergedEntry(rows: readonly IgnoreRow[]): IgnoreEntry {
  return Object.fromEntries(rows.map((row) => [row.path, toDetails(row)]))
}

export function toIgnoresByIssue(rows: readonly IgnoreRow[]): Static<typeof IgnoresByIssue> {
  const byIssue = Map.groupBy(rows, ({ issue_id }) => issue_id)
  return Object.fromEntries([...byIssue].map(([issueId, ofIssue]) => [issueId, ofIssue.map(toEntry)]))
}

function toDetails(row: IgnoreRow): Static<typeof Details> {
  return {
    reason: row.reason,
    reasonType: row.reason_type as ReasonType,
    ignoredBy: { id: row.ignored_by_id, name: row.ignored_by_name, email: row.ignored_by_email },
    disregardIfFixable: row.disregard_if_fixable === 1,
    ...(row.expires_at !== null && { expires: toTimestamp(row.expires_at) }),
    created: toTimestamp(row.created_at),
  }
}

export interface IgnoreInput {
  readonly path: string
  readonly reason: string
  readonly reasonType: ReasonType
  readonly disregardIfFixable: boolean
  /** Expiry in epoch milliseconds; null for never. A past time is accepted: clients copy ignores from elsewhere. */
  readonly expiresAt: number | null
}

export function parseNewIgnore(body: Static<typeof NewIgnore>): IgnoreInput {
  const faults: Fault[] = []
  const input = parse(body, { pointer: '', faults })
  if (faults.length > 0) throw new Problem('invalid-request', faults)
  return input
}

/** Parses all ignores of an issue. Throws 400 for two entries with the same path. */
export function parseReplacingIgnores(bodies: readonly ReplacingIgnore[]): IgnoreInput[] {
  const faults: Fault[] = []
  const inputs = bodies.map((body, index) => parse(body, { pointer: `/${index}`, faults }))
  for (const [index, { path }] of inputs.entries()) {
    if (inputs.findIndex((other) => other.path === path) === index) continue
    const pointer = `/${index}/ignorePath`
    faults.push({ detail: `${pointer} repeats another entry`, source: { pointer } })
  }
  if (faults.length > 0) throw new Problem('invalid-request', faults)
  return inputs
}

function parse(body: ReplacingIgnore, { pointer, faults }: { pointer: string; faults: Fault[] }): IgnoreInput {
  const fault = (member: string, said: string) => {
    const at = `${pointer}/${member}`
    faults.push({ detail: `${at} ${said}`, source: { pointer: at } })
  }
  const { ignorePath = '', expires = '', reason = 'None given', reasonType = 'temporary-ignore' } = body
  const path = parseIgnorePath(ignorePath)
  if (typeof path === 'string') fault('ignorePath', path)
  else if (Buffer.byteLength(path.text) > MAX_PATH_BYTES) {
    fault('ignorePath', `has more than ${MAX_PATH_BYTES} bytes; replace packages in the middle by *`)
  }
  const expiresAt = parseExpires(expires)
  if (expiresAt === undefined) {
    fault('expires', 'is not a time; send a day such as 2031-08-29, a time such as 2031-08-29T12:00:00Z, or nothing')
  }
  return {
    path: typeof path === 'string' ? ignorePath : path.text,
    reason,
    reasonType,
    disregardIfFixable: body.disregardIfFixable,
    expiresAt: expiresAt ?? null,
  }
}

import { type Static, Type } from 'typebox'
import { resource, Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { parseTimestamp, toTimestamp } from '#foundation/http/timestamp.ts'
import { Problem } from '#foundation/problem.ts'
import { type Names, toSentence } from './sentence.ts'
import type { AuditEventRow, AuditFilters } from './store.ts'

const State = Type.Record(Type.String(), Type.Unknown())

const Part = Type.Object({
  text: Type.String(),
  kind: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
})

export const AuditEvent = resource(
  'audit_event',
  Type.Object({
    at: Timestamp,
    action: Type.String({ description: 'noun.verb' }),
    actor: Type.Object({
      kind: Type.String({
        description: 'user, service_account, app, operator (the command line), server (background work), or anonymous',
      }),
      id: Type.Optional(Type.String()),
      name: Type.String({ description: 'Name at the time of the change' }),
      credential_id: Type.Optional(Type.String({ description: 'Id of the credential that the actor used' })),
    }),
    target: Type.Object({
      kind: Type.String(),
      id: Type.String(),
      name: Type.Optional(Type.String({ description: 'Current name; absent after a deletion' })),
    }),
    sentence: Type.Array(Part, {
      description: 'The event as a sentence. Parts with an id name an existing resource, or a vulnerability',
    }),
    before: Type.Optional(State),
    after: Type.Optional(State),
    request_id: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
    org_id: Type.Optional(Type.String()),
    group_id: Type.Optional(Type.String()),
  }),
)
export type AuditEvent = Static<typeof AuditEvent>

nameSchemas({ AuditEvent, AuditSentencePart: Part })

const id = (description: string) => Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{1,255}$', description }))

export const filters = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'RFC 3339; events at or after this time' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'RFC 3339; events before this time' })),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_]{0,63}(\\.[a-z0-9_]{1,64}){0,5}(\\.\\*)?$',
      description: 'An action such as service_account.create, or all actions on a kind of resource: service_account.*',
    }),
  ),
  actor_id: id('Id of the actor'),
  target_id: id('Id of the changed resource'),
}

export interface FilterQuery {
  readonly from?: string
  readonly to?: string
  readonly action?: string
  readonly actor_id?: string
  readonly target_id?: string
  readonly org_id?: string
}

export function toFilters(query: FilterQuery): AuditFilters {
  const from = query.from === undefined ? undefined : parseTimestamp(query.from, 'from')
  const to = query.to === undefined ? undefined : parseTimestamp(query.to, 'to')
  if (from !== undefined && to !== undefined && to < from) {
    throw new Problem('invalid-request', 'to must not be before from', { source: { parameter: 'to' } })
  }
  return {
    from,
    to,
    ...(query.action?.endsWith('.*') ? { actionPrefix: query.action.slice(0, -1) } : { action: query.action }),
    actorId: query.actor_id,
    targetId: query.target_id,
    orgId: query.org_id?.toLowerCase(),
  }
}

export function toResource(row: AuditEventRow, names: Names): AuditEvent {
  const name = names.get(row.target_id)
  return {
    id: row.id,
    type: 'audit_event',
    attributes: {
      at: toTimestamp(row.at),
      action: row.action,
      actor: {
        kind: row.actor_kind,
        name: row.actor_name,
        ...(row.actor_id !== null && { id: row.actor_id }),
        ...(row.credential_id !== null && { credential_id: row.credential_id }),
      },
      target: { kind: row.target_kind, id: row.target_id, ...(name !== undefined && { name }) },
      sentence: toSentence(row, names),
      ...(row.before !== null && { before: JSON.parse(row.before) as Record<string, unknown> }),
      ...(row.after !== null && { after: JSON.parse(row.after) as Record<string, unknown> }),
      ...(row.request_id !== null && { request_id: row.request_id }),
      ...(row.address !== null && { address: row.address }),
      ...(row.org_id !== null && { org_id: row.org_id }),
      ...(row.group_id !== null && { group_id: row.group_id }),
    },
  }
}

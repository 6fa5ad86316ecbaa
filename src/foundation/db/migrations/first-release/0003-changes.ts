import type { Migration } from '../../migration.ts'

export const changes: Migration = {
  name: '0003-changes',
  statements: ({ text, bytes }) => [
    // No foreign keys: the log outlives the rows it describes.
    `create table audit_events (
      id ${text} not null primary key,
      at bigint not null,
      action ${text} not null,
      group_id ${text},
      org_id ${text},
      actor_kind ${text} not null,
      actor_id ${text},
      actor_name ${text} not null,
      credential_id ${text},
      target_kind ${text} not null,
      target_id ${text} not null,
      before ${text},
      after ${text},
      request_id ${text},
      address ${text}
    )`,
    'create index audit_events_by_org on audit_events (org_id, at, id)',
    'create index audit_events_by_group on audit_events (group_id, at, id)',
    // `answer` is the whole response, encrypted.
    `create table idempotency_keys (
      principal_id ${text} not null,
      idempotency_key ${text} not null,
      request_digest ${text} not null,
      answer ${bytes} not null,
      created_at bigint not null,
      primary key (principal_id, idempotency_key)
    )`,
    'create index idempotency_keys_by_time on idempotency_keys (created_at)',
  ],
}

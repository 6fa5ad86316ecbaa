import type { Migration } from '../migration.ts'

export const events: Migration = {
  name: '0019-events',
  statements: ({ text, bytes }) => [
    // Where an organisation wants to be told of what happens. `secret` signs what is sent, encrypted here.
    `create table webhooks (
      id ${text} not null primary key,
      org_id ${text} not null references orgs (id) on delete cascade,
      url ${text} not null,
      events ${text} not null,
      secret ${bytes} not null,
      is_active integer not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index webhooks_by_org on webhooks (org_id, created_at, id)',
    // What happened, written with the change itself, until it was handed to each webhook that wants it.
    `create table events (
      id ${text} not null primary key,
      org_id ${text} not null references orgs (id) on delete cascade,
      type ${text} not null,
      data ${text} not null,
      at bigint not null
    )`,
    // One event for one webhook: tried until it is taken, or given up. `answer` is the beginning of what came back.
    `create table webhook_deliveries (
      id ${text} not null primary key,
      webhook_id ${text} not null references webhooks (id) on delete cascade,
      event_id ${text} not null,
      type ${text} not null,
      body ${text} not null,
      state ${text} not null check (state in ('waiting', 'delivered', 'failed')),
      attempts integer not null,
      last_status integer,
      last_error ${text},
      answer ${text},
      created_at bigint not null,
      attempted_at bigint
    )`,
    'create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_at, id)',
    'create unique index webhook_deliveries_by_event on webhook_deliveries (event_id, webhook_id)',
  ],
}

import type { Migration } from '../../migration.ts'

export const events: Migration = {
  name: '0019-events',
  statements: ({ text, bytes }) => [
    // Webhooks of an organization. `events` is a JSON list of event types. `secret` signs deliveries and is encrypted;
    // after a rotation the previous secret also signs until `previous_ends_at`. `deactivation` is the reason if the
    // server disabled it. The holder of the lease sends deliveries one after the other, none before `next_turn_at`.
    `create table webhooks (
      id ${text} not null primary key,
      org_id ${text} not null references orgs (id) on delete cascade,
      url ${text} not null,
      description ${text} not null,
      events ${text} not null,
      secret ${bytes} not null,
      previous_secret ${bytes},
      previous_ends_at bigint,
      is_active integer not null,
      deactivation ${text} check (deactivation in ('failing', 'gone')),
      failures integer not null,
      failing_since bigint,
      turn_owner ${text},
      turn_ends_at bigint not null,
      next_turn_at bigint not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    'create index webhooks_by_org on webhooks (org_id, created_at, id)',
    // Events, one row each for all webhooks; none if no webhook subscribes to it.
    `create table events (
      id ${text} not null primary key,
      org_id ${text} not null references orgs (id) on delete cascade,
      type ${text} not null,
      body ${text} not null,
      at bigint not null
    )`,
    'create index events_by_org on events (org_id)',
    'create index events_by_time on events (at)',
    // One event for one webhook: retried until accepted, or given up at the first failure after `gives_up_at`. `answer`
    // is the beginning of the last response. No foreign key to the webhook: an event written during its deletion must
    // not fail the change it describes.
    `create table webhook_deliveries (
      id ${text} not null primary key,
      webhook_id ${text} not null,
      event_id ${text} not null references events (id) on delete cascade,
      state ${text} not null check (state in ('waiting', 'delivered', 'failed')),
      attempts integer not null,
      due_at bigint not null,
      gives_up_at bigint not null,
      last_status integer,
      last_error ${text},
      answer ${text},
      created_at bigint not null,
      attempted_at bigint
    )`,
    'create unique index webhook_deliveries_by_event on webhook_deliveries (event_id, webhook_id)',
    'create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_at, id)',
    'create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, created_at, id)',
    'create index webhook_deliveries_by_due on webhook_deliveries (state, webhook_id, due_at)',
    // Announced credential expiries: one event before and one at the expiry.
    `create table announced_expiries (
      credential_id ${text} not null references credentials (id) on delete cascade,
      ends_at bigint not null,
      type ${text} not null,
      announced_at bigint not null,
      primary key (credential_id, ends_at, type)
    )`,
  ],
}

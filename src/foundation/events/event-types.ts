import type { Static, TObject } from 'typebox'
import type { Permission } from '../access/permissions.ts'
import { credentialEvents } from './credential-events.ts'
import { importFinished, issueOverdue, issuesNew } from './project-events.ts'

/** The description of an event type. */
export interface EventDescription<Data extends TObject = TObject> {
  /** Completes "sent when …". */
  readonly when: string
  /** Permissions for reading the same data from the API, which a subscriber must have. */
  readonly needs: readonly Permission[]
  /** The schema of the events' `data`. It never contains a secret. */
  readonly Data: Data
  readonly example: Static<Data>
}

/** Every event type: the source of subscriptions, payloads and documentation. */
export const eventTypes = {
  'issues.new': issuesNew,
  'issue.overdue': issueOverdue,
  'import.finished': importFinished,
  ...credentialEvents,
} as const satisfies Record<string, EventDescription>

export type EventType = keyof typeof eventTypes
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['Data']>

export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[]

/** The type of test deliveries; no webhook subscribes to it. */
export const PING = 'webhook.ping'

/** Returns the body of a webhook request. */
export function bodyOf(event: { id: string; orgId: string; type: string; data: object; at: number }): object {
  return {
    id: event.id,
    type: event.type,
    timestamp: new Date(event.at).toISOString(),
    org_id: event.orgId,
    data: event.data,
  }
}

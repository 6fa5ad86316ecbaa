import type { Static, TObject } from 'typebox'
import { credentialEvents } from './credential-events.ts'
import { importFinished, issuesNew } from './project-events.ts'

/** A kind of thing that happens, as webhooks tell of it. */
export interface EventDescription<Data extends TObject = TObject> {
  /** Completes "sent when …". */
  readonly when: string
  /** What the `data` of its events is. It never holds a secret. */
  readonly Data: Data
  readonly example: Static<Data>
}

/** Every type of event: what webhooks can want, what they are sent and what the documentation says come from here. */
export const eventTypes = {
  'issues.new': issuesNew,
  'import.finished': importFinished,
  ...credentialEvents,
} as const satisfies Record<string, EventDescription>

export type EventType = keyof typeof eventTypes
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['Data']>

export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[]

/** What a test of a webhook sends; nobody asks for it. */
export const PING = 'webhook.ping'

/** What is sent: the body of every request to a webhook. */
export function bodyOf(event: { id: string; orgId: string; type: string; data: object; at: number }): object {
  return {
    id: event.id,
    type: event.type,
    timestamp: new Date(event.at).toISOString(),
    org_id: event.orgId,
    data: event.data,
  }
}

import { type Static, Type } from 'typebox'
import { ALL } from '#foundation/events/add-event.ts'
import { eventTypeNames } from '#foundation/events/event-types.ts'
import { bodyOf, changeOf, resource, Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { proseText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { WebhookInput } from './change-webhook.ts'
import type { WebhookRow } from './store.ts'
import { urlOf } from './webhook-url.ts'

const strict = { additionalProperties: false } as const

const Url = Type.String({
  format: 'uri',
  maxLength: 2000,
  description:
    'URL of the receiver: http or https, without credentials; private addresses only if the operator allows them',
})

const Events = Type.Array(Type.Enum([...eventTypeNames, ALL]), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: `Types of events to send; ${ALL} stands for all, including those of later versions`,
})

// Named before its use, because an optional member copies the schema.
nameSchemas({ WebhookEvents: Events })

const Description = proseText(500, 'Purpose of the webhook')
const IsActive = Type.Boolean({ description: 'false: events are neither sent nor stored for later' })

export const Webhook = resource(
  'webhook',
  Type.Object({
    url: Url,
    events: Events,
    description: Description,
    is_active: IsActive,
    deactivation: Type.Optional(
      Type.Enum(['failing', 'gone'], {
        description: 'Reason why the server disabled it: all deliveries failed for days, or the receiver returned 410',
      }),
    ),
    failing_since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time of the first failure since the last successful delivery' }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
    previous_secret_ends_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Time until which messages are also signed with the previous secret',
      }),
    ),
    secret: Type.Optional(
      Type.String({
        description: 'The key of the signatures. Shown once, in the response to the request that created it',
      }),
    ),
  }),
)

export const NewWebhook = bodyOf(
  'webhook',
  Type.Object(
    {
      url: Url,
      events: Events,
      description: Type.Optional(Description),
      is_active: Type.Optional(Type.Boolean({ ...IsActive, default: true })),
    },
    strict,
  ),
)

const ChangedAttributes = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    is_active: Type.Optional(IsActive),
  },
  { ...strict, minProperties: 1 },
)

export const ChangedWebhook = changeOf('webhook', ChangedAttributes)

/** One week, as for client secrets. */
const MAX_GRACE_SECONDS = 604_800
export const DEFAULT_GRACE_SECONDS = 86_400

export const NewSecret = bodyOf(
  'webhook',
  Type.Object(
    {
      grace_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_GRACE_SECONDS,
          default: DEFAULT_GRACE_SECONDS,
          description: 'Time for which messages are signed with both secrets; 0 revokes the old one immediately',
        }),
      ),
    },
    strict,
  ),
)

nameSchemas({ Webhook, NewWebhook, ChangedWebhook, NewWebhookSecret: NewSecret })

type Attributes = Static<typeof ChangedAttributes>

/** Parses the attributes of a webhook. Throws 400 for a URL to which requests are not allowed. */
export function parseAttributes(
  outgoing: Pick<Outgoing, 'judge'>,
  { url, events, description, is_active }: Attributes,
): Partial<WebhookInput> {
  return {
    ...(url !== undefined && { url: parseUrl(outgoing, url) }),
    ...(events !== undefined && { events }),
    ...(description !== undefined && { description: description.trim() }),
    ...(is_active !== undefined && { isActive: is_active }),
  }
}

export function parseUrl(outgoing: Pick<Outgoing, 'judge'>, text: string): string {
  try {
    return outgoing.judge(text).href
  } catch (error) {
    if (!(error instanceof OutgoingRefused)) throw error
    const pointer = '/data/attributes/url'
    throw new Problem('invalid-request', `${pointer}: ${error.message}`, { source: { pointer }, cause: error })
  }
}

export function toResource(
  row: WebhookRow,
  shown: { keyring: Services['keyring']; now: number; secret?: string },
): Static<typeof Webhook> {
  const { previous_ends_at: previousEndsAt, deactivation, failing_since: failingSince } = row
  return {
    id: row.id,
    type: 'webhook',
    attributes: {
      url: urlOf(shown.keyring, row),
      events: JSON.parse(row.events),
      description: row.description,
      is_active: row.is_active === 1,
      ...(deactivation !== null && { deactivation: deactivation as 'failing' | 'gone' }),
      ...(failingSince !== null && { failing_since: toTimestamp(failingSince) }),
      created_at: toTimestamp(row.created_at),
      updated_at: toTimestamp(row.updated_at),
      ...(previousEndsAt !== null &&
        previousEndsAt > shown.now && { previous_secret_ends_at: toTimestamp(previousEndsAt) }),
      ...(shown.secret !== undefined && { secret: shown.secret }),
    },
  }
}

import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingFailed, OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { toWaitMs } from '#foundation/outgoing/retry.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import { signedHeaders } from '#foundation/secrets/webhook-signature.ts'
import type { Services } from '#foundation/services.ts'
import type { WebhookRow } from './store.ts'
import { urlOf } from './webhook-url.ts'

export type Sending = Pick<Services, 'keyring' | 'now'> & { readonly outgoing: Outgoing }

export const sealedWebhookSecrets: readonly SealedPlace[] = ['secret', 'previous_secret'].map((column) => ({
  table: 'webhooks',
  key: ['id'],
  column,
  context: ({ id }) => sealContext(id!),
}))

/** Limit from the name look-up to the last byte of the response. */
export const SEND_SECONDS = 10

/** Bytes kept of a response, enough for an error message; shown to managers of the webhook. */
const KEPT_BYTES = 1024

export interface Outcome {
  readonly isTaken: boolean
  readonly at: number
  readonly status: number | null
  readonly error: string | null
  /** The beginning of the response. */
  readonly answer: string | null
  readonly retryAfterMs: number | undefined
  /** Set if further attempts are pointless: the receiver is gone (410), or requests to the address are not allowed. */
  readonly isFinal: 'gone' | 'refused' | undefined
}

/** Sends one message to a webhook. Never throws for faults of the receiver. */
export async function send(
  { outgoing, keyring, now }: Sending,
  webhook: WebhookRow,
  { eventId, body, signal }: { eventId: string; body: string; signal?: AbortSignal | undefined },
): Promise<Outcome> {
  const at = now()
  const message = { id: eventId, sentAtSeconds: Math.floor(at / 1000), body }
  const signed = signedHeaders(message, secretsOf({ keyring, now }, webhook))
  const blank = { at, status: null, answer: null, retryAfterMs: undefined, isTaken: false, isFinal: undefined }
  try {
    const answer = await outgoing.post(urlOf(keyring, webhook), {
      headers: { 'content-type': 'application/json', ...signed },
      content: Buffer.from(body),
      keptBytes: KEPT_BYTES,
      timeoutMs: SEND_SECONDS * 1000,
      party: webhook.org_id,
      signal,
    })
    const { status } = answer
    const isTaken = status >= 200 && status < 300
    return {
      at,
      isTaken,
      status,
      error: isTaken ? null : explain(status),
      answer: toText(answer.beginning),
      retryAfterMs: isTaken ? undefined : toWaitMs(answer.headers['retry-after']),
      isFinal: status === 410 ? 'gone' : undefined,
    }
  } catch (error) {
    if (error instanceof OutgoingRefused) return { ...blank, error: error.message, isFinal: 'refused' }
    if (error instanceof OutgoingFailed) return { ...blank, error: error.message }
    throw error
  }
}

/** Returns the signing secrets: the current one, and the previous one during its grace period. */
function secretsOf({ keyring, now }: Pick<Sending, 'keyring' | 'now'>, webhook: WebhookRow): string[] {
  const { secret, previous_secret: previous, previous_ends_at: endsAt } = webhook
  const isInOverlap = previous !== null && endsAt !== null && endsAt > now()
  return (isInOverlap ? [secret, previous] : [secret]).map((sealed) => {
    const opened = keyring.open(sealed, sealContext(webhook.id))
    if (opened === undefined) throw new Error('the signing secret of a webhook was sealed with another key')
    return opened
  })
}

export function sealContext(webhookId: string): string {
  return `webhook ${webhookId}`
}

function explain(status: number): string {
  if (status === 410) return 'The receiver returned HTTP 410 (gone)'
  if (status >= 300 && status < 400) return `The receiver returned HTTP ${status}; redirects are not followed`
  return `The receiver returned HTTP ${status}`
}

/** PostgreSQL cannot store the character NUL. */
function toText(beginning: Buffer): string {
  return beginning.toString('utf8').replaceAll('\u0000', '\ufffd')
}

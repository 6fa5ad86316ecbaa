import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** A multiple of three, so that base64 needs no padding. */
const SECRET_BYTES = 36

/** A signing secret as receivers configure it (Standard Webhooks 1.0, "Signature scheme"): prefix and base64. */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

export interface Message {
  /** The same for every attempt, so that receivers recognize repetitions. */
  readonly id: string
  /** Time of the attempt, with which receivers refuse replays. */
  readonly sentAtSeconds: number
  readonly body: string
}

/**
 * Returns the headers of a message (Standard Webhooks 1.0): one HMAC-SHA-256 signature over id, time and body for each
 * valid secret.
 */
export function signedHeaders(
  { id, sentAtSeconds, body }: Message,
  secrets: readonly string[],
): Record<string, string> {
  const signed = `${id}.${sentAtSeconds}.${body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(sentAtSeconds),
    'webhook-signature': signatures.join(' '),
  }
}

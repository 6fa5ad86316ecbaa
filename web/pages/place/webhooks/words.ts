import type { Delivery, EventName, Webhook } from '../../../api/webhooks.ts'
import type { Tone } from '../../../ui/state-badge.tsx'

/** When events of each type are sent. */
export const eventWords: Readonly<Record<Exclude<EventName, '*'>, string>> = {
  'issues.new': 'Issues became known in a project that was there before',
  'import.finished': 'An import has come to its end',
  'credential.created': 'A key or secret was made for a program of the organisation',
  'credential.rotated': 'Client secrets were replaced',
  'credential.deleted': 'Keys or secrets were deleted',
  'credential.expiring': 'A key or secret is about to end by itself',
  'credential.expired': 'A key or secret has ended by itself',
  'credential.exposed': 'A credential was found where it should not be, and revoked',
  'credential.reused': 'A refresh token or code was used a second time',
}

export function namesOf(events: readonly EventName[]): string {
  return events.includes('*') ? 'all events' : events.join(', ')
}

export const deliveryTones: Readonly<Record<Delivery['attributes']['state'], Tone>> = {
  waiting: 'busy',
  delivered: 'good',
  failed: 'bad',
}

/** How a webhook is, in a word, and why. */
export function conditionOf({ attributes }: Webhook): { tone: Tone; word: string; why?: string } {
  const { is_active, deactivation, failing_since } = attributes
  if (deactivation === 'gone') {
    return { tone: 'bad', word: 'switched off', why: 'The receiver answered 410: it is gone for good.' }
  }
  if (deactivation === 'failing') {
    return { tone: 'bad', word: 'switched off', why: 'The receiver took nothing for days.' }
  }
  if (!is_active) return { tone: 'quiet', word: 'switched off' }
  if (failing_since !== undefined) return { tone: 'warning', word: 'failing' }
  return { tone: 'good', word: 'active' }
}

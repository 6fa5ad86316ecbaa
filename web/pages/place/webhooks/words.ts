import type { Delivery, EventName, Webhook } from '../../../api/resources.ts'
import type { Tone } from '../../../ui/state-badge.tsx'

/** When events of each type are sent. */
export const eventWords: Readonly<Record<Exclude<EventName, '*'>, string>> = {
  'issues.new': 'New issues in an existing project',
  'issue.overdue': 'The due date of a vulnerability passed',
  'import.finished': 'An import finished',
  'credential.created': 'A key or secret was created',
  'credential.rotated': 'A client secret was rotated',
  'credential.deleted': 'A key or secret was deleted',
  'credential.expiring': 'A key or secret expires soon',
  'credential.expired': 'A key or secret expired',
  'credential.exposed': 'A leaked credential was revoked',
  'credential.reused': 'A refresh token or code was reused',
}

export function namesOf(events: readonly EventName[]): string {
  return events.includes('*') ? 'all events' : events.join(', ')
}

export const deliveryTones: Readonly<Record<Delivery['attributes']['state'], Tone>> = {
  waiting: 'busy',
  delivered: 'good',
  failed: 'bad',
}

/** Returns a webhook's condition in a word, with the reason. */
export function conditionOf({ attributes }: Webhook): { tone: Tone; word: string; why?: string } {
  const { is_active, deactivation, failing_since } = attributes
  if (deactivation === 'gone') {
    return { tone: 'bad', word: 'disabled', why: 'The endpoint returned 410 Gone.' }
  }
  if (deactivation === 'failing') {
    return { tone: 'bad', word: 'disabled', why: 'All deliveries failed for days.' }
  }
  if (!is_active) return { tone: 'quiet', word: 'disabled' }
  if (failing_since !== undefined) return { tone: 'warning', word: 'failing' }
  return { tone: 'good', word: 'active' }
}

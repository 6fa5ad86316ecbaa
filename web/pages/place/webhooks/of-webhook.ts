import type { Webhook } from '../../../api/webhooks.ts'

export interface OfWebhook {
  readonly orgId: string
  readonly webhook: Webhook
}

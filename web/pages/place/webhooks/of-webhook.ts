export interface OfWebhook {
  readonly orgId: string
  readonly webhook: Webhook
}

import type { Webhook } from '../../../api/resources.ts'

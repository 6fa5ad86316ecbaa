export interface OfIntegration {
  readonly orgId: string
  readonly integration: Integration
}

import type { Integration } from '../../../api/resources.ts'

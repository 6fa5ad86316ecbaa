import type { Integration } from '../../../api/integrations.ts'

export interface OfIntegration {
  readonly orgId: string
  readonly integration: Integration
}

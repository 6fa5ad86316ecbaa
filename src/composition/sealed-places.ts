import { sealedSigningKeys } from '#features/access-tokens/signing-keys.ts'
import { sealedIntegrations } from '#features/integrations/credentials.ts'
import { sealedRecords } from '#features/oauth/records.ts'
import { sealedChallenges } from '#features/second-factors/challenges-store.ts'
import { sealedFactors } from '#features/second-factors/set-up.ts'
import { sealedSignOns } from '#features/sign-in/single-sign-on/begin-sign-on.ts'
import { sealedIdentities } from '#features/single-sign-on/identities-store.ts'
import { sealedProviders } from '#features/single-sign-on/providers-store.ts'
import { sealedWebhookSecrets } from '#features/webhooks/send.ts'
import { sealedUrls } from '#features/webhooks/webhook-url.ts'
import { sealedAnswers } from '#foundation/http/change.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'

/** Every column with encrypted values. */
export const sealedPlaces: readonly SealedPlace[] = [
  sealedSigningKeys,
  sealedIntegrations,
  ...sealedWebhookSecrets,
  sealedUrls,
  sealedFactors,
  sealedChallenges,
  sealedRecords,
  sealedProviders,
  sealedIdentities,
  sealedSignOns,
  sealedAnswers,
]

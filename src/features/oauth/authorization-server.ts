import type { Provider } from 'oidc-provider'
import type { LastUses } from '#features/credentials/last-uses.ts'
import type { AuthenticateClient } from '#foundation/access/oauth-client.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { Services } from '#foundation/services.ts'
import { authenticateClient } from './client-authentication.ts'
import { refusalPage } from './refusal-page.ts'

export interface AuthorizationServer {
  /** The client of a request at any endpoint. */
  readonly authenticateClient: AuthenticateClient
  /** Loaded when it is first asked for. */
  provider(): Promise<Provider>
  isLoaded(): boolean
}

export function createAuthorizationServer(
  services: Services,
  { lastUses, outgoing }: { lastUses: LastUses; outgoing: Outgoing },
): AuthorizationServer {
  const needs = { ...services, lastUses, outgoing }
  let loading: Promise<Provider> | undefined
  return {
    authenticateClient: (request) => authenticateClient(needs, request),
    provider() {
      loading ??= load(services)
      return loading
    },
    isLoaded: () => loading !== undefined,
  }
}

async function load(services: Services): Promise<Provider> {
  const { createProvider } = await import('./provider.ts')
  return createProvider(services, refusalPage)
}

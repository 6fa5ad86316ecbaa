import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider.ts'
import { createProviderBrowser, type ProviderBrowser } from './provider-browser.ts'

/** A certified OpenID provider, as it is, with users who sign in on its pages. */
export interface CertifiedProvider extends AsyncDisposable {
  readonly issuer: string
  /** Users whom it lets in, by name. */
  readonly users: Map<string, { readonly email: string }>
  /** Sets the addresses of the client. */
  register(client: { redirectUri: string; logoutUri: string }): void
  /** A browser with its cookies. */
  browser(): ProviderBrowser
}

export async function startCertifiedProvider(): Promise<CertifiedProvider> {
  const users = new Map<string, { readonly email: string }>()
  const client = { redirect_uris: ['https://unset.example/'], backchannel_logout_uri: 'https://unset.example/' }
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'RS256' }

  // Made with the first request: its clients cannot change.
  let made: Provider | undefined
  server.on('request', (request, response) => {
    made ??= silently(() => new Provider(issuer, configurationWith({ ...client }, key, users)))
    made.callback()(request, response)
  })
  return {
    issuer,
    users,
    register({ redirectUri, logoutUri }) {
      client.redirect_uris = [redirectUri]
      client.backchannel_logout_uri = logoutUri
    },
    browser: () =>
      createProviderBrowser(issuer, {
        credentials: (name) => ({ login: name, password: 'any' }),
        signOut: { path: '/session/end', fields: { logout: 'yes' } },
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const LIFETIMES = ['AccessToken', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session']

function configurationWith(client: object, key: object, users: CertifiedProvider['users']): object {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        grant_types: ['authorization_code', 'refresh_token'],
        backchannel_logout_session_required: true,
        ...client,
      },
    ],
    claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the test'] },
    // Its own refuses to ask loopback.
    fetch: (url: string, { dispatcher: _dispatcher, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, options),
    features: {
      devInteractions: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        logoutSource: (context: { body: string }, form: string) => void Object.assign(context, { body: form }),
        postLogoutSuccessSource: (context: { body: string }) => void Object.assign(context, { body: 'signed out' }),
      },
    },
    findAccount(_context: unknown, name: string) {
      const user = users.get(name)
      return (
        user && { accountId: name, claims: () => ({ sub: name, ...user, email_verified: true, name: `User ${name}` }) }
      )
    },
    issueRefreshToken: async () => true,
    jwks: { keys: [key] },
    pkce: { required: () => true },
    ttl: Object.fromEntries(LIFETIMES.map((name) => [name, 600])),
  }
}

/** The library warns of parts that are for development. */
function silently<T>(work: () => T): T {
  const { warn, info } = console
  Object.assign(console, { warn() {}, info() {} })
  try {
    return work()
  } finally {
    Object.assign(console, { warn, info })
  }
}

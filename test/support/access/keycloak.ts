import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../servers/free-port.ts'
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider.ts'
import { KEYCLOAK_FOLDER } from './keycloak-place.ts'
import { createProviderBrowser, type ProviderBrowser } from './provider-browser.ts'

/** The reason for skipping tests with Keycloak; false if it can run. */
export const skipWithoutKeycloak = findObstacle()

function findObstacle(): string | false {
  if (!existsSync(join(KEYCLOAK_FOLDER, 'bin/kc.sh')))
    return 'Keycloak is not installed: run "npm run install:keycloak"'
  if (spawnSync('java', ['-version']).status !== 0) return 'Keycloak needs Java 17 or newer on PATH'
  return false
}

/** A realm of a Keycloak server in memory. */
export interface Keycloak extends AsyncDisposable {
  readonly issuer: string
  /** Adds the client under test, whose ID tokens list the roles of a user in the claim `roles`. */
  register(client: { redirectUri: string; logoutUri: string }): Promise<void>
  /** Adds a role of the realm. */
  addRole(name: string): Promise<void>
  addUser(name: string, email: string): Promise<KeycloakUser>
  /** Signs tokens with a new key from now on. */
  rotateKeys(): Promise<void>
  browser(): ProviderBrowser
}

interface KeycloakUser {
  grantRole(name: string): Promise<void>
  revokeRole(name: string): Promise<void>
  setEnabled(isEnabled: boolean): Promise<void>
  /** Revokes the offline access of the client under test, as an administrator. */
  revokeOfflineAccess(): Promise<void>
}

const REALM = 'people'
const PASSWORD = 'a long enough password'

export async function startKeycloak(): Promise<Keycloak> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const child = spawn(
    join(KEYCLOAK_FOLDER, 'bin/kc.sh'),
    ['start-dev', '--http-host=127.0.0.1', `--http-port=${port}`, '--db=dev-mem', '--cache=local'],
    {
      // The script starts Java as a child of its own.
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
        KC_BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      },
    },
  )
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
    await ended
  }
  try {
    while (!(await isReady(`${address}/realms/master`))) {
      assert.equal(child.exitCode, null, 'Keycloak ended before it was ready')
      await setTimeout(200)
    }
    return { ...(await createRealm(address)), [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function createRealm(address: string): Promise<Omit<Keycloak, typeof Symbol.asyncDispose>> {
  const issuer = `${address}/realms/${REALM}`
  const root = await createAdministration(address)
  await root('POST', 'realms', { realm: REALM, enabled: true })
  const call = (method: string, path: string, body?: object) => root(method, `realms/${REALM}/${path}`, body)
  return {
    issuer,
    async register({ redirectUri, logoutUri }) {
      await call('POST', 'clients', {
        clientId: CLIENT_ID,
        secret: CLIENT_SECRET,
        redirectUris: [redirectUri],
        attributes: {
          'backchannel.logout.url': logoutUri,
          'backchannel.logout.session.required': 'true',
          'pkce.code.challenge.method': 'S256',
        },
        protocolMappers: [
          {
            name: 'roles',
            protocol: 'openid-connect',
            protocolMapper: 'oidc-usermodel-realm-role-mapper',
            config: { 'claim.name': 'roles', 'id.token.claim': 'true', multivalued: 'true' },
          },
        ],
      })
    },
    addRole: async (name) => void (await call('POST', 'roles', { name })),
    async addUser(name, email) {
      await call('POST', 'users', {
        username: name,
        email,
        emailVerified: true,
        enabled: true,
        firstName: 'Ada',
        lastName: 'Lovelace',
        credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
      })
      const [{ id }] = (await call('GET', `users?username=${name}`)) as [{ id: string }]
      const changeRole = async (method: string, role: string) =>
        void (await call(method, `users/${id}/role-mappings/realm`, [(await call('GET', `roles/${role}`)) as object]))
      return {
        grantRole: (role) => changeRole('POST', role),
        revokeRole: (role) => changeRole('DELETE', role),
        setEnabled: async (enabled) => void (await call('PUT', `users/${id}`, { enabled })),
        revokeOfflineAccess: async () => void (await call('DELETE', `users/${id}/consents/${CLIENT_ID}`)),
      }
    },
    async rotateKeys() {
      // Above the priority of the keys that a realm begins with.
      const config = { priority: ['200'], algorithm: ['RS256'] }
      const key = { name: 'next', providerId: 'rsa-generated', providerType: 'org.keycloak.keys.KeyProvider', config }
      await call('POST', 'components', key)
    },
    browser: () =>
      createProviderBrowser(issuer, {
        credentials: (username) => ({ username, password: PASSWORD }),
        signOut: { path: '/protocol/openid-connect/logout', fields: { confirmLogout: 'yes' } },
      }),
  }
}

type Administration = (method: string, path: string, body?: object) => Promise<unknown>

/** Returns the administration interface, as the first administrator. */
async function createAdministration(address: string): Promise<Administration> {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: PASSWORD }
  return async (method, path, body) => {
    const url = `${address}/realms/master/protocol/openid-connect/token`
    const signedIn = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
    const { access_token: token } = (await signedIn.json()) as { access_token: string }
    const answer = await fetch(`${address}/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}

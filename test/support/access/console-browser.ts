import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import type { CallOptions, TestApp } from '../servers/app.ts'
import { PASSWORD, type Person } from './people.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** The console in a browser, as the server sees it: its cookies, and the headers that browsers add. */
export interface ConsoleBrowser {
  /** Id of the session. */
  readonly sessionId: string
  /** The session's secret. */
  readonly secret: string
  /** Returns the cookies that it sends. */
  cookieHeader(): string
  /** Returns the line with which the server last set the session's cookie. */
  cookieLine(): string
  /** Sends a request as the console's own script does; `undefined` leaves a header out. */
  ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS',
    path: string,
    options?: Omit<CallOptions, 'headers' | 'key'> & { readonly headers?: Headers | undefined },
  ): Promise<LightMyRequestResponse>
  /** Takes over the session that an answer began, if it did. */
  adopt(answer: LightMyRequestResponse): void
  trySignIn(credentials: { email: string; password: string }): Promise<LightMyRequestResponse>
  signIn(person: Pick<Person, 'email'>): Promise<void>
  changePassword(change: { current_password: string; password: string }): Promise<LightMyRequestResponse>
  /** Sets the session cookie, as an attacker might. */
  plant(secret: string): void
  /** Returns another browser with the same cookies, or with this secret. */
  copy(secret?: string): ConsoleBrowser
}

export function createConsoleBrowser(app: TestApp, address = '127.0.0.1'): ConsoleBrowser {
  const jar = new Map<string, string>()
  let [sessionId, line] = ['', '']
  const { host, origin } = new URL(app.parts.services.baseUrl)

  const browser: ConsoleBrowser = {
    get sessionId() {
      return sessionId
    },
    get secret() {
      return jar.get('gatehouse_session') ?? ''
    },
    cookieHeader: () => [...jar].map((pair) => pair.join('=')).join('; '),
    cookieLine: () => line,
    async ask(method, path, { body, query = {}, headers = {} } = {}) {
      const isRest = path.startsWith('/rest')
      const all: Headers = {
        host,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        'sec-fetch-site': 'same-origin',
        ...(method !== 'GET' && { origin }),
        ...(sessionId !== '' && { 'gatehouse-session': sessionId }),
        ...(jar.size > 0 && { cookie: browser.cookieHeader() }),
        ...(body !== undefined && { 'content-type': isRest ? 'application/vnd.api+json' : 'application/json' }),
        ...headers,
      }
      const parameters = new URLSearchParams({ ...(isRest && { version: '2024-10-15' }), ...query }).toString()
      const answer = await app.server.inject({
        method,
        url: parameters === '' ? path : `${path}?${parameters}`,
        remoteAddress: address,
        headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
        if (name === 'gatehouse_session') line = set
      }
      return answer
    },
    adopt(answer) {
      if (answer.statusCode === 200) sessionId = answer.json().id ?? sessionId
    },
    async trySignIn(credentials) {
      const answer = await browser.ask('POST', '/console/session', { body: credentials })
      browser.adopt(answer)
      return answer
    },
    async signIn({ email }) {
      const answer = await browser.trySignIn({ email, password: PASSWORD })
      assert.equal(answer.statusCode, 200, answer.body)
    },
    changePassword: (change) => browser.ask('POST', '/console/password', { body: change }),
    plant: (secret) => void jar.set('gatehouse_session', secret),
    copy(secret = browser.secret) {
      const other = createConsoleBrowser(app, address)
      other.plant(secret)
      const ask: ConsoleBrowser['ask'] = (method, path, options = {}) =>
        other.ask(method, path, { ...options, headers: { 'gatehouse-session': sessionId, ...options.headers } })
      return { ...other, ask }
    },
  }
  return browser
}

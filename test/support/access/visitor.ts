import assert from 'node:assert/strict'
import type { TestApp } from '../servers/app.ts'

/** The browser's current page, or the external address it was redirected to. */
export interface Shown {
  readonly url: URL
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: string
}

/** A browser without scripts: cookies, redirects, forms. */
export interface Visitor {
  /** Opens an address and follows redirects to the end, or to the first address that is not this server's. */
  open(url: string | URL, headers?: Record<string, string>): Promise<Shown>
  /** Fills in a page's form and presses one of its buttons, by its words. */
  press(page: Shown, button: string, fields?: Fields): Promise<Shown>
  /** Sends a form as it is, to the address of a page. */
  send(url: URL, form: URLSearchParams, headers?: Record<string, string>): Promise<Shown>
  /** Sends JSON as a script of the console does. */
  post(path: string, body: object): Promise<Shown>
  /** Returns the cookie header for the address. */
  cookieHeader(url: URL): string
}

/** Values by name; several for check boxes. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

const MAX_REDIRECTS = 10

export function createVisitor(app: Pick<TestApp, 'server' | 'parts'>, address = '127.0.0.1'): Visitor {
  const { baseUrl } = app.parts.services
  const jar = new Map<string, Cookie>()

  function keep(headers: Record<string, unknown>, url: URL): void {
    for (const line of [headers['set-cookie'] ?? []].flat() as string[]) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? url.pathname
      if (/expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(`${name} ${path}`)
      else jar.set(`${name} ${path}`, { name, value, path })
    }
  }

  function cookiesFor({ pathname }: URL): string {
    return [...jar.values()]
      .filter(({ path }) => path === '/' || pathname === path || pathname.startsWith(`${path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  async function ask(url: URL, payload: URLSearchParams | object | undefined, headers: Record<string, string>) {
    const isForm = payload instanceof URLSearchParams
    const cookie = cookiesFor(url)
    const answer = await app.server.inject({
      method: payload ? 'POST' : 'GET',
      url: `${url.pathname}${url.search}`,
      remoteAddress: address,
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(payload && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
        ...headers,
      },
      ...(payload && { payload: isForm ? payload.toString() : JSON.stringify(payload) }),
    })
    keep(answer.headers, url)
    return { url, status: answer.statusCode, headers: answer.headers, body: answer.body }
  }

  async function follow(first: Shown): Promise<Shown> {
    let shown = first
    for (let count = 0; count < MAX_REDIRECTS; count++) {
      const location = shown.headers['location'] ?? refreshOf(shown)
      if (location === undefined) return shown
      const url = new URL(String(location), shown.url)
      if (url.origin !== new URL(baseUrl).origin) return { url, status: shown.status, headers: {}, body: '' }
      shown = await ask(url, undefined, {})
    }
    return assert.fail(`redirects without end at ${shown.url}`)
  }

  async function send(url: URL, form: URLSearchParams, headers: Record<string, string> = {}): Promise<Shown> {
    return follow(await ask(url, form, headers))
  }

  return {
    open: async (url, headers = {}) => follow(await ask(new URL(url, baseUrl), undefined, headers)),
    send,
    press: (page, button, fields = {}) => send(page.url, filledIn(page, button, fields)),
    post: (path, body) => ask(new URL(path, baseUrl), body, { 'sec-fetch-site': 'same-origin' }),
    cookieHeader: cookiesFor,
  }
}

/** Returns the target of a page's automatic redirect. */
function refreshOf({ body }: Shown): string | undefined {
  const url = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(body)?.[1]
  return url === undefined ? undefined : decoded(url)
}

/** The form of a page that has the button, filled in. */
export function filledIn(page: Shown, button: string, fields: Fields): URLSearchParams {
  const forms = [...page.body.matchAll(/<form\b[^>]*>([\s\S]*?)<\/form>/g)].map(([, form]) => form!)
  for (const form of forms) {
    const pressed = [...form.matchAll(/<button\b([^>]*)>([^<]*)<\/button>/g)].find(([, , words]) => words === button)
    if (!pressed) continue
    const filled = new URLSearchParams()
    for (const [, attributes] of form.matchAll(/<input\b([^>]*)>/g)) {
      const { name = '', type, value = '' } = attributesOf(attributes!)
      if (name in fields) continue
      if (type !== 'checkbox' || / checked\b/.test(attributes!)) filled.append(name, value)
    }
    for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) filled.append(name, value)
    const { name, value } = attributesOf(pressed[1]!)
    if (name !== undefined) filled.append(name, value ?? '')
    return filled
  }
  return assert.fail(`no button “${button}” on ${page.url} (${page.status}): ${page.body}`)
}

function attributesOf(text: string): Record<string, string | undefined> {
  return Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, decoded(value!)]))
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** Text of a page as people read it. */
export function decoded(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)
}

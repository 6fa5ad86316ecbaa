import { after, before } from 'node:test'
import { type ImportApp, startImportApp } from '#test/repositories/imports.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { keepKey } from '../api/session.ts'

export interface ConsoleServer extends TestApp {
  /** Signs in with a key (default: the administrator's) and connects `fetch` to this server, without its cookies. */
  connect(key?: string): void
  /** Answers requests only after the returned function is called. */
  hold(): () => void
  /** Makes the server unreachable until `connect`. */
  disconnect(): void
}

/** Gives the calling suite a server of its own, which `fetch` reaches in this process, without a socket. */
export function useConsoleServer(environment: Record<string, string> = {}): () => ConsoleServer {
  return useServer(() => startApp('sqlite', environment))
}

/** Does the same for a server that imports repositories. */
export function useImportServer(environment: Record<string, string> = {}): () => ConsoleServer & ImportApp {
  return useServer(() => startImportApp('sqlite', environment))
}

function useServer<App extends TestApp>(start: () => Promise<App>): () => ConsoleServer & App {
  const nodeFetch = globalThis.fetch
  let server: (ConsoleServer & App) | undefined
  before(async () => {
    server = serverOf(await start())
  })
  after(async () => {
    globalThis.fetch = nodeFetch
    await server?.close()
  })
  return () => server!
}

function serverOf<App extends TestApp>(app: App): ConsoleServer & App {
  let pause: Promise<void> | undefined
  const cookies = new Map<string, string>()

  async function request(input: string | URL | Request, { method, headers, body, credentials }: RequestInit = {}) {
    await pause
    const sent = body instanceof FormData ? new Response(body) : undefined
    const {
      statusCode,
      payload,
      headers: sentHeaders,
    } = await app.server.inject({
      method: (method ?? 'GET') as 'GET',
      url: String(input),
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(credentials !== 'omit' && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...Object.fromEntries(new Headers(headers)),
        ...(sent && Object.fromEntries(sent.headers)),
      },
      ...(body !== undefined &&
        body !== null && { payload: sent ? Buffer.from(await sent.arrayBuffer()) : String(body) }),
    })
    for (const line of [sentHeaders['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const headerPairs = Object.entries(sentHeaders).map(([name, value]) => [name, String(value)] as [string, string])
    return new Response(statusCode === 204 ? null : payload, { status: statusCode, headers: headerPairs })
  }

  return {
    ...app,
    connect(key = app.adminKey) {
      keepKey(key)
      cookies.clear()
      globalThis.fetch = request
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      pause = promise
      return () => {
        pause = undefined
        resolve()
      }
    },
    disconnect() {
      globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    },
  }
}

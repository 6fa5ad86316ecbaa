import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import type { Engine } from '#foundation/db/database.ts'
import { startApp, type TestApp, type TestSettings } from './app.ts'
import { freePort } from './free-port.ts'

/** A test server that listens, at the address that it says it has. */
export async function startListening(engine: Engine, settings: TestSettings = {}): Promise<TestApp> {
  const port = await freePort()
  const app = await startApp(engine, { GATEHOUSE_PORT: String(port), ...settings })
  await app.server.listen({ host: '127.0.0.1', port })
  return app
}

/** Lets a test server that was started without an address listen on a free port of loopback; the address that it got. */
export async function listenAnywhere({ server }: Pick<TestApp, 'server'>): Promise<string> {
  await server.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

/** The same app, with every request sent through a socket. */
export function overHttp(app: TestApp): TestApp {
  const { baseUrl } = app.parts.services
  const inject = async ({ method = 'GET', url, headers, payload }: InjectOptions) => {
    const answer = await fetch(new URL(String(url), baseUrl), {
      method,
      headers: headers as Record<string, string>,
      body: (payload as string | undefined) ?? null,
      redirect: 'manual',
    })
    const cookies = answer.headers.getSetCookie()
    return {
      statusCode: answer.status,
      headers: { ...Object.fromEntries(answer.headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) },
      body: await answer.text(),
    }
  }
  return { ...app, server: { inject } as unknown as TestApp['server'] }
}

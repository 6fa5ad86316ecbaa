import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A gem server on loopback with a compact index: lines of each gem's file, `1.2.3 other:>= 1`. */
export async function startGemServer(gems: Readonly<Record<string, readonly string[]>>) {
  let status = 200
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url!.replace(/^\/info\//, ''))
    const lines = gems[name]
    if (status !== 200) return response.writeHead(status).end()
    if (!lines) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`---\n${lines.join('|checksum:0\n')}|checksum:0\n`)
  })
  // A test that fails before closing must not keep the process.
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What every further request is answered with. */
    answerWith(code: number) {
      status = code
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

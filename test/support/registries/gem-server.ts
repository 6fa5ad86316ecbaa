import { startRegistryServer } from './registry-server.ts'

/** A gem server on loopback with a compact index: lines of each gem's file, `1.2.3 other:>= 1`. */
export function startGemServer(gems: Readonly<Record<string, readonly string[]>>) {
  return startRegistryServer((request, response) => {
    const name = decodeURIComponent(request.url!.replace(/^\/info\//, ''))
    const lines = gems[name]
    if (!lines) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`---\n${lines.join('|checksum:0\n')}|checksum:0\n`)
  })
}

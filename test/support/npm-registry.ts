import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type PublishedVersions = Readonly<Record<string, { dependencies?: Record<string, string>; license?: unknown }>>

/** An npm registry on loopback: abbreviated packuments of the given packages, and manifests of single versions. */
export async function startNpmRegistry(packages: Readonly<Record<string, PublishedVersions>>) {
  let status = 200
  const asked: string[] = []
  const server = createServer((request, response) => {
    const [name = '', single] = request.url!.slice(1).split('/').map(decodeURIComponent)
    asked.push(single === undefined ? name : `${name}/${single}`)
    const published = packages[name]
    if (status !== 200) return response.writeHead(status).end()
    if (published && single !== undefined && Object.hasOwn(published, single)) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ name, version: single, ...published[single] }))
    }
    if (!published || single !== undefined)
      return response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
    const versions = Object.fromEntries(
      Object.entries(published).map(([version, { dependencies = {} }]) => [
        version,
        { name, version, dependencies, dist: { tarball: `https://registry.example/${name}-${version}.tgz` } },
      ]),
    )
    const latest = Object.keys(published).at(-1)
    response.writeHead(200, { 'content-type': 'application/vnd.npm.install-v1+json' })
    return response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions }))
  })
  // A test that fails before closing must not keep the process.
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
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

import { startRegistryServer } from './registry-server.ts'

export type PublishedVersions = Readonly<
  Record<
    string,
    { dependencies?: Record<string, string>; peerDependencies?: Record<string, string>; license?: unknown }
  >
>

/** An npm registry on loopback: abbreviated packuments of the given packages, and manifests of single versions. */
export function startNpmRegistry(packages: Readonly<Record<string, PublishedVersions>>) {
  return startRegistryServer((request, response) => {
    const [name = '', single] = request.url!.slice(1).split('/').map(decodeURIComponent)
    const published = packages[name]
    if (published && single !== undefined && Object.hasOwn(published, single)) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ name, version: single, ...published[single] }))
    }
    if (!published || single !== undefined)
      return response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
    const versions = Object.fromEntries(
      Object.entries(published).map(([version, { dependencies = {}, peerDependencies = {} }]) => [
        version,
        {
          name,
          version,
          dependencies,
          peerDependencies,
          dist: { tarball: `https://registry.example/${name}-${version}.tgz` },
        },
      ]),
    )
    const latest = Object.keys(published).at(-1)
    response.writeHead(200, { 'content-type': 'application/vnd.npm.install-v1+json' })
    return response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions }))
  })
}

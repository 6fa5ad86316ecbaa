import type { FastifyInstance } from 'fastify'

/** What stands before all paths of the server at its public address: `/gatehouse` of `https://gate.example/gatehouse`, or nothing. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '')
}

/** The path as the server knows it, whether a proxy took the base path off or left it. */
export function withoutBasePath(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

/**
 * Pages and redirects name paths of this server from its root. Below a base path they go out with it: there it is put
 * before every one of them, in one place. Text of others cannot look like such an attribute, for its quotes are escaped.
 */
export function writeBelow(server: FastifyInstance, basePath: string): void {
  if (basePath === '') return
  server.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string') reply.header('location', below(location, basePath))
    const isPage = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
    done(null, isPage ? pageBelow(payload, basePath) : payload)
  })
}

function pageBelow(page: string, basePath: string): string {
  return page.replace(
    /( (?:href|src|action)="|content="0; url=)(\/[^"]*)/g,
    (_, before: string, path: string) => before + below(path, basePath),
  )
}

function below(path: string, basePath: string): string {
  const isOurs = path.startsWith('/') && !path.startsWith('//')
  return isOurs && path !== basePath && !path.startsWith(`${basePath}/`) ? `${basePath}${path}` : path
}

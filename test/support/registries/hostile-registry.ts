import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type LocalServer, serveHttp } from '../servers/local-server.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Registries of all kinds on one server: below `/npm`, `/gems`, `/go`, `/pypi/simple` and `/maven`. */
export interface HostileRegistry extends LocalServer {
  /** Settings of a server that asks it. */
  readonly environment: Record<string, string>
}

/** Ways of not answering; a package is answered so when its name is one of these after `fails-`. */
export const failures: Readonly<Record<string, Answer>> = {
  'busy-for-hours': (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
  'busy-now': (_, response) => response.writeHead(429, { 'retry-after': '0' }).end(),
  broken: (_, response) => response.writeHead(500).end('Internal error'),
  away: (_, response) => response.writeHead(503, { 'retry-after': '7200' }).end(),
  secretive: (_, response) => response.writeHead(401).end(),
  'a-page': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome'),
  empty: (_, response) => response.writeHead(200).end(),
  zeros: (_, response) => response.writeHead(200).end(Buffer.alloc(10_000)),
  deep: (_, response) => response.writeHead(200).end('{"versions":'.repeat(100_000)),
  'cut-off': (_, response) =>
    response.writeHead(200, { 'content-length': '5000' }).write('{', () => response.destroy()),
  resets: ({ socket }) => socket.resetAndDestroy(),
  circles: ({ url }, response) => response.writeHead(302, { location: url! }).end(),
  'leads-inside': (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/secrets' }).end(),
  'leads-to-a-file': (_, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end(),
  'no-gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not compressed'),
  bomb: (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(makeBomb()),
  'never-ends': (_, response) => pour(response),
}

let bomb: Buffer | undefined

/** Compresses 64 MB on first use: few files with this registry ask for it. */
function makeBomb(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 })
  return bomb
}

function pour(response: ServerResponse): void {
  const block = Buffer.alloc(256 * 1024, ' ')
  const more = () => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', more)
  more()
}

/** Answers of packages that are there: `good` asks for nothing. Others by `documents`, by kind and name. */
export async function startHostileRegistry(
  documents: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<HostileRegistry> {
  const server = await serveHttp((request, response) => {
    const [, kind = '', ...path] = decodeURIComponent(request.url ?? '').split('/')
    const name = nameIn(kind, path)
    if (name === 'stalls') return
    const failure = name.startsWith('fails-') ? failures[name.slice('fails-'.length)] : undefined
    if (failure !== undefined) return failure(request, response)
    const [all = {}, key] = [documents[kind], kind === 'maven' ? (path.at(-1) ?? '') : name]
    const document = Object.hasOwn(all, key) ? all[key] : undefined
    if (document === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': typeOf(document) }).end(document)
  })
  const environment = {
    GATEHOUSE_NPM_REGISTRY: `${server.url}/npm`,
    GATEHOUSE_RUBYGEMS_URL: `${server.url}/gems`,
    GATEHOUSE_GO_PROXY: `${server.url}/go`,
    GATEHOUSE_PYPI_URL: `${server.url}/pypi/simple`,
    GATEHOUSE_MAVEN_REPOSITORIES: `${server.url}/maven`,
  }
  return { ...server, environment, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

function nameIn(kind: string, path: readonly string[]): string {
  if (kind === 'gems') return path[1] ?? ''
  if (kind === 'go') return path[1] ?? ''
  if (kind === 'pypi') return path[1] ?? ''
  return kind === 'maven' ? (path[1] ?? '') : path.join('/')
}

/** Indexes of Python packages are read by their type. */
function typeOf(document: string): string {
  if (document.startsWith('{')) return 'application/json'
  return document.startsWith('<html') ? 'text/html' : 'text/plain'
}

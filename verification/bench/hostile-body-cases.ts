import { gzipSync } from 'node:zlib'

const MB = 1024 * 1024
const LARGE = 25 * MB
const SMALL = MB

export interface HostileBody {
  readonly title: string
  readonly method?: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  /** Sent without a credential. */
  readonly isPublic?: true
  /** The end of the body is never sent. */
  readonly isUnfinished?: true
}

/** Bodies that cost most for their size: as large as the limits allow, deep, wide, and full of escapes. */
export function hostileBodies(orgId: string): HostileBody[] {
  const brackets = packed('['.repeat(LARGE / 2) + ']'.repeat(LARGE / 2))
  const accounts = `/rest/orgs/${orgId}/service_accounts?version=2024-10-15`
  const escaped = `{"files":{"target":{"contents":"${'\\u00e9'.repeat(LARGE / 6 - 20)}"}}}`
  return [
    { title: 'public, brackets, unknown path', path: '/v1/nothing', ...brackets, isPublic: true },
    { title: 'public, brackets, wrong method', path: '/rest/self?version=2024-10-15', ...brackets, isPublic: true },
    { title: 'public, brackets, no credential', path: '/v1/test/npm', ...brackets, isPublic: true },
    { title: 'public, form with one name repeated', path: '/oauth2/token', ...form('a=1&', 64 * 1024), isPublic: true },
    { title: 'public, sign-in form', path: '/oauth2/interactions/none', ...form('a=1&', MB), isPublic: true },
    { title: 'brackets', path: '/v1/test/npm', ...brackets },
    { title: 'small brackets, REST', path: accounts, ...packed('['.repeat(SMALL / 2) + ']'.repeat(SMALL / 2)) },
    { title: 'empty lists, REST', path: accounts, ...packed(list('[]', SMALL)) },
    { title: 'unknown members, REST', path: accounts, ...packed(members(SMALL)) },
    { title: 'empty lists', path: '/v1/test/npm', ...packed(list('[]', LARGE)) },
    { title: 'unknown members', path: '/v1/test/npm', ...packed(members(LARGE)) },
    { title: 'one long text', path: '/v1/test/npm', ...packed(escaped) },
    { title: 'a lock file of 25 MB', path: '/v1/test/npm', ...packed(JSON.stringify(lockFile(LARGE))) },
    { title: 'dep-graph with many edges', path: '/v1/test/dep-graph', ...packed(JSON.stringify(graph(1000, 900_000))) },
    { title: 'dep-graph of numbers', path: '/v1/test/dep-graph', ...packed(`{"depGraph":${list('1', LARGE - 20)}}`) },
    {
      title: 'monitored graph, many packages',
      path: '/v1/monitor/dep-graph',
      ...packed(JSON.stringify(graph(49_000, 100_000))),
    },
    {
      title: 'monitored graph, many edges',
      path: '/v1/monitor/dep-graph',
      ...packed(JSON.stringify(graph(1000, 900_000))),
    },
    { title: 'unfinished, no credential', path: '/v1/nothing', ...brackets, isPublic: true, isUnfinished: true },
    { title: 'unfinished', path: '/v1/test/npm', ...packed(escaped), isUnfinished: true },
  ]
}

function packed(text: string): Pick<HostileBody, 'headers' | 'bytes'> {
  return {
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    bytes: gzipSync(text, { level: 9 }),
  }
}

function form(pair: string, bytes: number): Pick<HostileBody, 'headers' | 'bytes'> {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    bytes: Buffer.from(pair.repeat(Math.floor(bytes / pair.length))),
  }
}

function list(item: string, bytes: number): string {
  return `[${`${item},`.repeat(Math.floor((bytes - 20) / (item.length + 1)))}${item}]`
}

function members(bytes: number): string {
  const count = Math.floor(bytes / 12)
  return `{${Array.from({ length: count }, (_, n) => `"a${n}":1`)
    .join(',')
    .slice(0, bytes - 20)
    .replace(/,[^,]*$/, '')}}`
}

function lockFile(bytes: number) {
  const packages: Record<string, object> = {
    '': { name: 'hostile', version: '1.0.0', dependencies: { p0: '1.0.0' } },
  }
  const count = Math.min(40_000, Math.floor(bytes / 200))
  for (let n = 0; n < count; n++)
    packages[`node_modules/p${n}`] = { version: '1.0.0', dependencies: { [`p${n + 1}`]: '1.0.0' } }
  packages[`node_modules/p${count}`] = { version: '1.0.0' }
  const target = { name: 'hostile', version: '1.0.0', dependencies: { p0: '1.0.0' } }
  const lock = JSON.stringify({ name: 'hostile', lockfileVersion: 3, packages })
  const filler = ' '.repeat(Math.max(0, bytes - lock.length * 1.2 - 1000))
  return { files: { target: { contents: JSON.stringify(target) }, additional: [{ contents: lock + filler }] } }
}

/** A graph whose places each lead to the next ones. */
function graph(size: number, edges: number) {
  const degree = Math.max(1, Math.floor(edges / size))
  const nodes = Array.from({ length: size }, (_, n) => ({
    nodeId: `n${n}`,
    pkgId: `p${n}`,
    deps: Array.from({ length: Math.min(degree, size - 1 - n) }, (_, at) => ({ nodeId: `n${n + 1 + at}` })),
  }))
  const pkgs = Array.from({ length: size }, (_, n) => ({ id: `p${n}`, info: { name: `p${n}`, version: '1.0.0' } }))
  return {
    depGraph: {
      schemaVersion: '1.2.0',
      pkgManager: { name: 'npm' },
      pkgs,
      graph: { rootNodeId: 'n0', nodes },
    },
  }
}

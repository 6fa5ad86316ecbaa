import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** Names the folder of PostgreSQL's programs for tests that start servers of their own. */
export const BINARIES_VARIABLE = 'TEST_POSTGRES_BINARIES'

/** Returns the folder of PostgreSQL's programs: the one of the variable, else Debian's newest; undefined without any. */
export function findPostgresBinaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [process.env[BINARIES_VARIABLE] ?? '', ...versions.map((version) => join(root, version, 'bin'))]
  return folders.find((path) => existsSync(join(path, 'initdb')))
}

/** Fast and unsafe: the data of tests need not survive the machine. */
export const UNSAFE = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' } as const

/** A PostgreSQL server on loopback. As root it runs as the user `postgres`, since it refuses root. */
export interface PostgresServer {
  readonly folder: string
  readonly port: number
  /** Address of its database `postgres`. */
  readonly url: string
  start(): void
  /** `immediate` ends it as a crash would. */
  stop(mode: 'fast' | 'immediate'): void
  /** Turns a standby into a primary. */
  promote(): void
  /** Its process, which the kill of a test needs. */
  pid(): number
  log(): string
  /** Copies it, before its first start, to a server that follows it when it is started. */
  addStandby(place: ServerPlace): PostgresServer
}

interface ServerPlace {
  /** An empty folder of its own. */
  readonly folder: string
  readonly port: number
  readonly settings: Readonly<Record<string, string | number>>
}

/** Creates a server without starting it. */
export function createPostgresServer(binaries: string, place: ServerPlace): PostgresServer {
  const { folder } = place
  const user = userOfServer()
  own(folder, user)
  const initialize = ['-D', folder, '-U', 'gatehouse', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale', 'C.UTF-8']
  run({ binaries, folder, user }, 'initdb', initialize)
  return serverIn(binaries, place)
}

function serverIn(binaries: string, { folder, port, settings }: ServerPlace): PostgresServer {
  const user = userOfServer()
  const log = join(folder, 'log')
  const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, ...settings }
  const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)
  const control = (...parameters: string[]) => run({ binaries, folder, user }, 'pg_ctl', ['-D', folder, ...parameters])
  return {
    folder,
    port,
    url: `postgres://gatehouse@127.0.0.1:${port}/postgres`,
    start: () => control('-w', '-l', log, '-o', options.join(' '), 'start'),
    stop: (mode) => control('-m', mode, 'stop'),
    promote: () => control('-w', 'promote'),
    pid: () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]),
    log: () => readFileSync(log, 'utf8'),
    addStandby(place) {
      own(place.folder, user)
      cpSync(folder, place.folder, { recursive: true })
      const primary = `primary_conninfo = 'host=127.0.0.1 port=${port} user=gatehouse application_name=standby'\n`
      appendFileSync(join(place.folder, 'postgresql.auto.conf'), primary)
      writeFileSync(join(place.folder, 'standby.signal'), '')
      ownAll(place.folder, user)
      chmodSync(place.folder, 0o700)
      return serverIn(binaries, place)
    },
  }
}

type User = { readonly uid?: number; readonly gid?: number }

function userOfServer(): User {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
}

/** Debian's package creates the user `postgres`; without it any other than root will do. */
function idOf(flag: '-u' | '-g'): number {
  const read = (name: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    return read('postgres')
  } catch {
    return read('nobody')
  }
}

function own(path: string, { uid, gid }: User): void {
  if (uid !== undefined) chownSync(path, uid, gid!)
}

function ownAll(folder: string, user: User): void {
  own(folder, user)
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) own(join(folder, entry), user)
}

interface Where {
  readonly binaries: string
  readonly folder: string
  readonly user: User
}

function run({ binaries, folder, user }: Where, program: string, parameters: readonly string[]): void {
  // Another working directory could be closed to the user.
  execFileSync(join(binaries, program), parameters, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder, ...user })
}

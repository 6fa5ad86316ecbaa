import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '#test/servers/free-port.ts'
import { BINARIES_VARIABLE, createPostgresServer, findPostgresBinaries, UNSAFE } from '#test/servers/postgres-server.ts'
import { createScratch } from './test-run/scratch.ts'

/**
 * Runs a command with TEST_DATABASE_URL naming a PostgreSQL server of its own that listens on loopback, lives in a
 * temporary folder and ends with the command. As root the server runs as the user `postgres`, since it refuses root.
 * With --in-memory the folder is in memory where that has room: tests create and drop hundreds of databases. With
 * --binaries the programs of that folder run instead of Debian's.
 */
const usage = 'usage: with-postgres [--in-memory] [--binaries FOLDER] COMMAND [ARGUMENT…]'
const [options, [command, ...args]] = readOptions(process.argv.slice(2))
if (command === undefined) throw new Error(usage)

const binaries = options.binaries === undefined ? requirePostgres() : requireBinaries(options.binaries)
const folder = options.isInMemory ? createScratch() : mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
const server = createPostgresServer(binaries, {
  folder,
  port: await freePort(),
  settings: { ...UNSAFE, max_connections: 200, synchronous_commit: 'off', wal_level: 'minimal', max_wal_senders: 0 },
})
server.start()
try {
  const env = { ...process.env, TEST_DATABASE_URL: server.url, [BINARIES_VARIABLE]: binaries }
  const child = spawn(command, args, { stdio: 'inherit', env })
  // Ending this process also ends the command and the server, which would otherwise keep running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  process.exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
} finally {
  server.stop('immediate')
  rmSync(folder, { recursive: true, force: true })
}

/** Reads only the leading options: later ones belong to the command. */
function readOptions(args: readonly string[]) {
  const read: { isInMemory: boolean; binaries?: string } = { isInMemory: false }
  let at = 0
  for (; args[at]?.startsWith('--'); at++) {
    if (args[at] === '--in-memory') read.isInMemory = true
    else if (args[at] === '--binaries' && args[at + 1] !== undefined) read.binaries = args[++at]!
    else throw new Error(usage)
  }
  return [read, args.slice(at)] as const
}

function requireBinaries(path: string): string {
  if (existsSync(join(path, 'initdb'))) return resolve(path)
  throw new Error(`${path} has no initdb. Name the folder of PostgreSQL's programs.`)
}

function requirePostgres(): string {
  const binaries = findPostgresBinaries()
  if (binaries !== undefined) return binaries
  throw new Error('PostgreSQL is not installed: as root run "apt-get update && apt-get install -y postgresql"')
}

import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#test/servers/free-port.ts'
import { createScratch } from './test-run/scratch.ts'

/**
 * Runs a command with TEST_DATABASE_URL naming a PostgreSQL server of its own that listens on loopback, lives in a
 * temporary folder and ends with the command. As root the server runs as the user `postgres`, since it refuses root.
 * With --in-memory the folder is in memory where that has room: tests create and drop hundreds of databases.
 */
const isInMemory = process.argv[2] === '--in-memory'
const [command, ...args] = process.argv.slice(isInMemory ? 3 : 2)
if (command === undefined) throw new Error('usage: with-postgres [--in-memory] COMMAND [ARGUMENT…]')

const bin = findBinaries()
const folder = isInMemory ? createScratch() : mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
const port = await freePort()
run('initdb', ['-D', folder, '-U', 'gatehouse', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale', 'C.UTF-8'])
const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200 -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c autovacuum=off`
run('pg_ctl', ['-D', folder, '-w', '-l', join(folder, 'log'), '-o', settings, 'start'])
try {
  const url = `postgres://gatehouse@127.0.0.1:${port}/postgres`
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: url } })
  // Ending this process also ends the command and the server, which would otherwise keep running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  process.exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
} finally {
  run('pg_ctl', ['-D', folder, '-m', 'immediate', 'stop'])
  rmSync(folder, { recursive: true, force: true })
}

function run(program: string, parameters: string[]): void {
  execFileSync(join(bin, program), parameters, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder, ...user })
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

function findBinaries(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map((version) => join(root, version, 'bin')).find((path) => existsSync(join(path, 'initdb')))
  if (found) return found
  throw new Error('PostgreSQL is not installed: as root run "apt-get update && apt-get install -y postgresql"')
}

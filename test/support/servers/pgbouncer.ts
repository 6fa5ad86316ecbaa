import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** Debian's path; services have it in no PATH. */
const PROGRAM = '/usr/sbin/pgbouncer'

/** The reason to skip a suite, or false. */
export const lacksPgbouncer = existsSync(PROGRAM) ? false : 'needs the Debian package pgbouncer'

/**
 * Starts PgBouncer in transaction mode on loopback, with fewer server connections than clients: almost every transaction
 * gets another one. As root it runs as the user `nobody`, since it refuses root.
 */
export async function startPgbouncer(databaseUrl: string, serverConnections: number) {
  const target = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-'))
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  const port = await freePort()
  const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port || 5432} user=${decodeURIComponent(target.username)}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 200
`,
  )
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid!)
    chownSync(file, user.uid, user.gid!)
  }
  const child = spawn(PROGRAM, ['-q', file], { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder, ...user })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    await sleep(20)
  }
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function idOf(flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
}

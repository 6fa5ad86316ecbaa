import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { healthCheckArguments } from './files.ts'
import { findProgram, folderBytes, type Program, type Running, startProgram } from './measure.ts'
import { type BuiltPackage, copyProduct } from './package-checks.ts'
import { megabytes, type Row } from './row.ts'

/** User id and group id of the user `node` in the base image. */
const NODE_USER = 1000

/**
 * Makes the file tree of the image from Debian's packages, and runs the server in it: as another user, below a
 * read-only root, with the health check. Neither a container daemon nor a registry is needed.
 */
export async function checkImage(built: BuiltPackage): Promise<Row> {
  const method = 'image'
  const notRun = 'building from the base image (no registry), capabilities and seccomp of a container runtime'
  if (process.getuid?.() !== 0 || findProgram('debootstrap') === undefined) {
    return { method, outcome: 'not run', checked: '', notRun: 'needs root and debootstrap' }
  }
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-root-'))
  try {
    makeTree(built, root)
    const size = `${megabytes(folderBytes(root))} unpacked`
    const server = await startProgram(inTree(root), { GATEHOUSE_DATA_DIR: '/data' })
    const faults = [...examine(root, server), ...(await examineEnd(root, server))]
    const checked = 'not root, read-only root, health check, writes only /data and /tmp, stops'
    if (faults.length > 0) return { method, outcome: 'failed', size, checked: faults.join('; '), notRun }
    return { method, outcome: 'passed', size, ready: `${(server.readyMs / 1000).toFixed(2)} s new`, checked, notRun }
  } finally {
    rmSync(root, { recursive: true })
  }
}

function makeTree(built: BuiltPackage, root: string): void {
  chmodSync(root, 0o755)
  const include = '--include=ca-certificates,git'
  const made = spawnSync('debootstrap', ['--variant=minbase', include, 'bookworm', root], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`debootstrap failed: ${made.stdout.slice(-500)}${made.stderr}`)
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  copyProduct(built, root)
  symlinkSync('/opt/gatehouse/bin/gatehouse.js', join(root, 'usr/local/bin/gatehouse'))
  mkdirSync(join(root, 'data'))
  chmodSync(join(root, 'data'), 0o777)
  for (const folder of ['var/cache/apt', 'var/lib/apt/lists']) rmSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
}

/** Changes the root within mount points of its own, where everything but /data and /tmp is read-only. */
function inTree(root: string): Program {
  const script = [
    `mount --bind ${root} ${root}`,
    `mount --bind ${root}/data ${root}/data`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -t proc proc ${root}/proc`,
    `mount --bind /dev ${root}/dev`,
    `mount -o remount,bind,ro ${root}`,
    `exec chroot --userspec=${NODE_USER}:${NODE_USER} ${root} /usr/local/bin/gatehouse serve`,
  ].join(' && ')
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script]
}

function examine(root: string, { port, child }: Running): string[] {
  const faults: string[] = []
  if (askHealth(root, port) !== 0) faults.push('the health check fails while the server runs')
  const status = spawnSync('sh', ['-c', `grep -m1 ^Uid: /proc/${child.pid}/status`], { encoding: 'utf8' }).stdout
  if (!status.includes(String(NODE_USER))) faults.push(`the server runs as ${status.trim()}`)
  const inside = ['nsenter', '--mount', `--target=${child.pid}`, '--', 'chroot', `--userspec=${NODE_USER}:${NODE_USER}`]
  for (const [folder, isWritable] of [
    ['/opt', false],
    ['/usr/local', false],
    ['/data', true],
    ['/tmp', true],
  ] as const) {
    const [command, ...args] = [...inside, root, 'touch', `${folder}/probe`]
    if ((spawnSync(command!, args).status === 0) !== isWritable) faults.push(`${folder} is writable: ${!isWritable}`)
  }
  return faults
}

async function examineEnd(root: string, server: Running): Promise<string[]> {
  const status = await server.stop()
  const faults = status === 0 ? [] : [`the server stops with ${status}`]
  if (askHealth(root, server.port) !== 1) faults.push('the health check passes without a server')
  if (!existsSync(join(root, 'data/gatehouse.sqlite'))) faults.push('nothing was stored in /data')
  return faults
}

function askHealth(root: string, port: number): number | null {
  const args = [`--userspec=${NODE_USER}:${NODE_USER}`, root, '/usr/local/bin/node', ...healthCheckArguments()]
  return spawnSync('chroot', args, { env: { PATH: process.env['PATH'], GATEHOUSE_PORT: String(port) } }).status
}

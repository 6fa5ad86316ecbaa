import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from '../../tools/packaging/build.ts'
import { folderBytes, measureReady, startProgram } from './measure.ts'
import { megabytes, type Row } from './row.ts'

const MAX_TARBALL_BYTES = 20e6
const MAX_INSTALLED_BYTES = 60e6

export interface BuiltPackage extends Disposable {
  readonly folder: string
  readonly dist: string
  readonly tarball: string
}

export async function buildPackage(): Promise<BuiltPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-install-'))
  const dist = join(folder, 'dist')
  await build(dist)
  mkdirSync(join(folder, 'home'))
  const [tarball] = npm(folder, 'pack', './dist', '--silent').trim().split('\n')
  return { folder, dist, tarball: join(folder, tarball!), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

function npm(folder: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--no-update-notifier'], {
    cwd: folder,
    env: environmentIn(folder),
    encoding: 'utf8',
  })
}

function environmentIn(folder: string): Record<string, string> {
  return { PATH: process.env['PATH']!, HOME: join(folder, 'home') }
}

export function checkTarball({ tarball }: BuiltPackage): Row {
  const { size } = statSync(tarball)
  const outcome = size <= MAX_TARBALL_BYTES ? 'passed' : 'failed'
  return { method: 'npm pack', outcome, size: megabytes(size), checked: 'size' }
}

/** Installs for all users of the machine, into a folder of its own. */
export async function checkGlobalInstall({ folder, tarball }: BuiltPackage): Promise<Row> {
  const prefix = join(folder, 'prefix')
  npm(folder, 'install', '--global', '--prefix', prefix, tarball)
  const bytes = folderBytes(prefix)
  const program = join(prefix, 'bin/gatehouse')
  const ready = await measureReady([program, 'serve'])
  execFileSync(program, ['doctor', '--offline'], { env: environmentIn(folder), stdio: 'ignore' })
  npm(folder, 'uninstall', '--global', '--prefix', prefix, 'gatehouse')
  const left = folderBytes(prefix)
  const outcome = bytes <= MAX_INSTALLED_BYTES && left === 0 ? 'passed' : 'failed'
  const checked = 'installed without a registry, started, stopped, doctor, uninstalled without leftovers'
  return { method: 'npm install -g', outcome, size: megabytes(bytes), ready, checked }
}

/** Runs the tarball without installing it, twice: npm unpacks it at the first use. */
export async function checkNpx({ folder, tarball }: BuiltPackage): Promise<Row> {
  const seconds: string[] = []
  for (const use of ['first', 'second']) {
    const program = ['npx', '--yes', '--offline', '--package', tarball, 'gatehouse', 'serve'] as const
    const data = { GATEHOUSE_DATA_DIR: join(folder, `npx-${use}`) }
    const server = await startProgram(program, { ...environmentIn(folder), ...data }, { isGroup: true })
    seconds.push(`${(server.readyMs / 1000).toFixed(1)} s ${use} use`)
    // The exit code is that of npm.
    await server.stop()
  }
  const size = megabytes(folderBytes(join(folder, 'home/.npm/_npx')))
  const checked = 'downloads nothing, starts, stops'
  return { method: 'npx', outcome: 'passed', size, ready: `${seconds.join(', ')}, with npm itself`, checked }
}

/** Copies the parts of the image into a folder, as the Dockerfile does. */
export function copyProduct({ dist }: BuiltPackage, root: string): void {
  const target = join(root, 'opt/gatehouse')
  mkdirSync(dirname(target), { recursive: true })
  cpSync(dist, target, { recursive: true })
}

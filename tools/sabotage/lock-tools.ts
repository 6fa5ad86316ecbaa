import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hidden, Spelling } from './spelling.ts'

/** Lets a tool judge the files of a folder from its lock alone, without a registry. */
type Ask = (folder: string, hidden: Hidden) => Promise<Spelling['tool']>

const run = promisify(execFile)

/**
 * pnpm 10, by its program for Node.js in GATEHOUSE_PNPM: it compares the lock with package.json, then lists it. Later
 * releases ignore the settings in package.json.
 */
export const askPnpm: Ask = async (folder, hidden) => {
  const pnpm = programIn('GATEHOUSE_PNPM')
  const parts = async (...args: string[]) =>
    run(process.execPath, [pnpm, ...args], { cwd: folder, env: { ...process.env, CI: 'true' } })
  const flags = ['--frozen-lockfile', '--lockfile-only', '--ignore-scripts']
  const isAccepted = await succeeds(() => parts('install', ...flags))
  if (!isAccepted) return 'refuses'
  const { stdout } = await parts('list', '--lockfile-only', '--recursive', '--depth', 'Infinity', '--json')
  return contains(JSON.parse(stdout), hidden) ? 'installs' : 'ignores'
}

/** Bun, by its program in GATEHOUSE_BUN. It lists aliases under their own names. */
export const askBun: Ask = async (folder, { version }) => {
  const bun = programIn('GATEHOUSE_BUN')
  const isLocked = existsSync(join(folder, 'bun.lock'))
  const flags = [...(isLocked ? ['--frozen-lockfile'] : []), '--lockfile-only', '--ignore-scripts']
  const isAccepted = await succeeds(() => run(bun, ['install', ...flags], { cwd: folder }))
  if (!isAccepted) return 'refuses'
  const { stdout } = await run(bun, ['pm', 'ls', '--all'], { cwd: folder })
  return new RegExp(`── \\S+@${version}$`, 'm').test(stdout) ? 'installs' : 'ignores'
}

const HASH = `
from pathlib import Path
from poetry.factory import Factory
print(Factory().create_poetry(Path.cwd()).locker._get_content_hash())
`

/** Poetry, by the folder of its programs in GATEHOUSE_PYTHON_TOOLS. A lock without a hash gets that of the project. */
export const askPoetry: Ask = async (folder, { name, version }) => {
  const bin = programIn('GATEHOUSE_PYTHON_TOOLS')
  const lock = join(folder, 'poetry.lock')
  const text = await readFile(lock, 'utf8')
  try {
    const { stdout } = await run(join(bin, 'python'), ['-c', HASH], { cwd: folder })
    if (!text.includes('content-hash')) await writeFile(lock, `${text}content-hash = "${stdout.trim()}"\n`)
    const flags = ['--dry-run', '--no-root', '--all-extras', '--all-groups', '--no-ansi', '--no-interaction']
    const { stdout: plan } = await run(join(bin, 'poetry'), ['install', ...flags], { cwd: folder })
    const line = new RegExp(
      `^ +- (?:Installing|Updating|Downgrading) ${name} \\((?:\\S+ -> )?${version}(?:\\.0)*[ )]`,
      'im',
    )
    return line.test(plan) ? 'installs' : 'ignores'
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') throw error
    return 'refuses'
  }
}

const UV_ENTRY =
  /^(name = ("[^"]*")\nversion = "([^"]*)"\nsource = \{ registry = "https[^\n]*\n)(?![\s\S]{0,200}?^wheels)/gm
const HEX = '0'.repeat(64)

/** uv, by the folder of its programs in GATEHOUSE_PYTHON_TOOLS. Entries without files get a wheel, without which none is installed. */
export const askUv: Ask = async (folder, { name, version }) => {
  const bin = programIn('GATEHOUSE_PYTHON_TOOLS')
  const lock = join(folder, 'uv.lock')
  const text = await readFile(lock, 'utf8')
  const withFiles = text.replace(UV_ENTRY, (entry, _, quoted: string, own: string) => {
    const file = `${JSON.parse(quoted) as string}-${own}-py3-none-any.whl`
    return `${entry}wheels = [{ url = "https://files.example/${file}", hash = "sha256:${HEX}" }]\n`
  })
  await writeFile(lock, withFiles)
  const flags = ['--dry-run', '--locked', '--offline', '--all-extras', '--all-groups', '--no-python-downloads']
  const env = { ...process.env, UV_DEFAULT_INDEX: 'https://pypi.example/simple', VIRTUAL_ENV: undefined }
  try {
    const { stderr } = await run(join(bin, 'uv'), ['sync', ...flags, '--no-install-project'], { cwd: folder, env })
    return new RegExp(`^ \\+ ${name}==${version}(?:\\.0)*$`, 'm').test(stderr) ? 'installs' : 'ignores'
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') throw error
    return 'refuses'
  }
}

function programIn(variable: string): string {
  const program = process.env[variable]
  if (program === undefined) throw new Error(`Name the program in ${variable}; docs/comparison.md tells which.`)
  return program
}

/** Throws if the program is missing. */
async function succeeds(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt()
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') throw error
    return false
  }
}

interface Listed {
  readonly from?: string
  readonly version?: string
  readonly [member: string]: unknown
}

/** Looks through the tree that pnpm lists. */
function contains(projects: readonly Listed[], { name, version }: Hidden): boolean {
  const open = [...projects]
  for (const each of open) {
    for (const member of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [key, below] of Object.entries((each[member] ?? {}) as Record<string, Listed>)) {
        if ((below.from ?? key) === name && below.version === version) return true
        open.push(below)
      }
    }
  }
  return false
}

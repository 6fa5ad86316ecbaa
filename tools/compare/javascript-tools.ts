import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { toPlainJson } from '#analysis/documents/lenient-json.ts'
import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { bun } from '#analysis/ecosystems/javascript/bun/index.ts'
import { pnpm } from '#analysis/ecosystems/javascript/pnpm/index.ts'
import { corpusLacks } from '../corpus/folder.ts'
import { type Compared, type CompareSettings, type Comparison, toCompared } from './comparison.ts'
import { edgesOf, filesOf, packagesOf, projectsIn, readLocked, readText } from './real-projects.ts'

/** Locks of pnpm and Bun as the tools themselves list them, without installing. */
export function javascriptToolComparisons({ manifests, pnpms, bun: program }: CompareSettings): Comparison[] {
  const needs = (ecosystem: string, tool: string | undefined, option: string) => () =>
    corpusLacks(`manifests/${ecosystem}`) ?? (tool === undefined ? `needs ${ecosystem}: ${option}` : undefined)
  return [
    {
      ecosystem: 'pnpm',
      what: 'packages and edges of the lock',
      reference: 'pnpm list',
      missing: needs('pnpm', pnpms, '--pnpms <folder>'),
      run: () => compareAll(path.join(manifests, 'pnpm'), (folder) => againstPnpm(folder, pnpms!)),
    },
    {
      ecosystem: 'bun',
      what: 'packages of the lock',
      reference: 'bun pm ls',
      missing: needs('bun', program, '--bun <program>'),
      run: () => compareAll(path.join(manifests, 'bun'), (folder) => againstBun(folder, program!)),
    },
  ]
}

async function compareAll(root: string, compare: (folder: string) => Promise<Compared>): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const project of projectsIn(root)) compared.push(await compare(path.join(root, project)))
  return compared
}

async function read(ecosystem: Ecosystem, folder: string, lock: string) {
  const files = filesOf(folder, /^package\.json$/)
  const [target = '', ...additional] = [...files, lock].map((file) => readText(folder, file))
  return { files: files.length + 1, reading: await readLocked(ecosystem, { target, additional }) }
}

/** A package in the output of `pnpm list --json`. */
interface Listed {
  readonly from?: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, Listed>>
  readonly devDependencies?: Readonly<Record<string, Listed>>
  readonly optionalDependencies?: Readonly<Record<string, Listed>>
}

/** Compares our reading of a lock with the tree that pnpm reads from it; each pnpm reads locks of its own version. */
async function againstPnpm(folder: string, pnpms: string): Promise<Compared> {
  const project = path.basename(folder)
  const { files, reading } = await read(pnpm, folder, 'pnpm-lock.yaml')
  const packages = packagesOf(reading).size
  const version = /^lockfileVersion: '?([\d.]+)/m.exec(readText(folder, 'pnpm-lock.yaml'))?.[1]
  const cli = path.join(pnpms, 'node_modules', `pnpm-lock-${version}`, 'bin/pnpm.cjs')
  const none = { project, files: 0, packages: 0, lines: 0, onlyOurs: [], onlyTheirs: [] }
  if (!existsSync(cli)) return { ...none, note: `no pnpm for version ${version} of the lock` }
  const { stdout, stderr } = listWithPnpm(cli, folder)
  if (!stdout.startsWith('[')) return { ...none, note: `pnpm list failed: ${(stderr || stdout).slice(0, 200)}` }
  const theirs = new Set<string>()
  const open = (JSON.parse(stdout) as Listed[]).map((each) => ({ label: 'project', listed: each }))
  for (const { label, listed } of open) {
    const below = { ...listed.devDependencies, ...listed.optionalDependencies, ...listed.dependencies }
    for (const [name, each] of Object.entries(below)) {
      // A linked folder is the project itself, or one that the lock does not describe.
      const isLink = each.version.startsWith('link:')
      const child = isLink ? 'project' : `${each.from ?? name}@${each.version}`
      if (!isLink) theirs.add(`${label} → ${child}`)
      open.push({ label: child, listed: each })
    }
  }
  const ours = [...edgesOf(reading)].filter((edge) => !edge.includes('@link:'))
  return toCompared(project, files, { packages, ours: new Set(ours), theirs })
}

/** Lists a copy of the project that looks installed: pnpm reads the tree from the lock that it keeps there. */
function listWithPnpm(cli: string, folder: string) {
  const copy = mkdtempSync(path.join(tmpdir(), 'pnpm-list-'))
  try {
    cpSync(folder, copy, { recursive: true })
    const kept = path.join(copy, 'node_modules/.pnpm')
    mkdirSync(kept, { recursive: true })
    cpSync(path.join(folder, 'pnpm-lock.yaml'), path.join(kept, 'lock.yaml'))
    writeFileSync(path.join(copy, 'node_modules/.modules.yaml'), JSON.stringify(installed))
    const flags = ['list', '--recursive', '--depth', 'Infinity', '--json']
    return spawnSync(process.execPath, [cli, ...flags], { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 30 })
  } finally {
    rmSync(copy, { recursive: true })
  }
}

const installed = {
  included: { dependencies: true, devDependencies: true, optionalDependencies: true },
  layoutVersion: 5,
  nodeLinker: 'isolated',
  packageManager: 'pnpm',
  registries: {},
  skipped: [],
  storeDir: '',
  virtualStoreDir: '.pnpm',
}

/** Compares our reading of a lock with the tree that Bun prints. */
async function againstBun(folder: string, program: string): Promise<Compared> {
  const project = path.basename(folder)
  const { files, reading } = await read(bun, folder, 'bun.lock')
  const ours = packagesOf(reading)
  const { stdout, stderr } = spawnSync(program, ['pm', 'ls', '--all'], { cwd: folder, encoding: 'utf8' })
  const lines = stdout.matchAll(/[├└]── (\S+)$/gm)
  const aliases = aliasesIn(readText(folder, 'bun.lock'))
  const listed = [...lines].map(([, label]) => aliases.get(label!) ?? label!)
  const theirs = new Set(listed.filter((label) => !label.includes('@workspace:')))
  const none = { project, files: 0, packages: 0, lines: 0, onlyOurs: [], onlyTheirs: [] }
  if (theirs.size === 0 && ours.size > 0) return { ...none, note: `bun pm ls failed: ${stderr.slice(0, 200)}` }
  return toCompared(project, files, { packages: ours.size, ours, theirs })
}

/** Bun lists packages under the names that dependents give them. Returns their own by those. */
function aliasesIn(lock: string): Map<string, string> {
  const { packages } = JSON.parse(toPlainJson(lock)) as { packages: Record<string, [string]> }
  return new Map(
    Object.entries(packages).map(([key, [identity]]) => {
      const name = /(?:@[^/]+\/)?[^/]+$/.exec(key)![0]
      return [`${name}@${identity.slice(identity.indexOf('@', 1) + 1)}`, identity]
    }),
  )
}

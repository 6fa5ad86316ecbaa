import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { toPlainJson } from '../../src/analysis/documents/lenient-json.ts'
import type { Ecosystem } from '../../src/analysis/ecosystems/ecosystem.ts'
import { bun } from '../../src/analysis/ecosystems/javascript/bun/index.ts'
import { pnpm } from '../../src/analysis/ecosystems/javascript/pnpm/index.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsOption,
  needsProjects,
  notCompared,
  toCompared,
} from './comparison.ts'
import { compareEach, edgesOf, filesOf, inCopy, packagesOf, readLocked, readManifest, readText } from './projects.ts'

/** Locks of pnpm and Bun as the tools themselves list them, without installing. */
export function javascriptToolComparisons({ manifests, pnpms, bun: program }: CompareSettings): Comparison[] {
  return [
    {
      ecosystem: 'pnpm',
      what: 'packages and edges of the lock',
      reference: 'pnpm list',
      missing: firstOf(needsProjects('pnpm'), needsOption(pnpms, 'pnpm: --pnpms <folder>')),
      run: () => compareEach(path.join(manifests, 'pnpm'), (folder) => againstPnpm(folder, pnpms!)),
    },
    {
      ecosystem: 'bun',
      what: 'packages of the lock',
      reference: 'bun pm ls',
      missing: firstOf(needsProjects('bun'), needsOption(program, 'Bun: --bun <program>')),
      run: () => compareEach(path.join(manifests, 'bun'), (folder) => againstBun(folder, program!)),
    },
  ]
}

async function read(ecosystem: Ecosystem, folder: string, lock: string) {
  const files = [...filesOf(folder, /^package\.json$/), lock]
  return { files: files.length, reading: await readLocked(ecosystem, readManifest(folder, files)) }
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
  if (!existsSync(cli)) return notCompared(project, `no pnpm for version ${version} of the lock`)
  const { stdout, stderr } = await listWithPnpm(cli, folder)
  if (!stdout.startsWith('[')) return notCompared(project, `pnpm list failed: ${(stderr || stdout).slice(0, 200)}`)
  const expected = new Set<string>()
  const open = (JSON.parse(stdout) as Listed[]).map((listed) => ({ label: 'project', listed: listed }))
  for (const { label, listed } of open) {
    const below = { ...listed.devDependencies, ...listed.optionalDependencies, ...listed.dependencies }
    for (const [name, listed] of Object.entries(below)) {
      // A linked folder is the project itself, or one that the lock does not describe.
      const isLink = listed.version.startsWith('link:')
      const child = isLink ? 'project' : `${listed.from ?? name}@${listed.version}`
      if (!isLink) expected.add(`${label} → ${child}`)
      open.push({ label: child, listed: listed })
    }
  }
  const own = [...edgesOf(reading)].filter((edge) => !edge.includes('@link:'))
  return toCompared(project, files, { packages, own: new Set(own), expected })
}

/** Lists a copy of the project that looks installed: pnpm reads the tree from the lock that it keeps there. */
function listWithPnpm(cli: string, folder: string) {
  return inCopy(folder, (cwd) => {
    const kept = path.join(cwd, 'node_modules/.pnpm')
    mkdirSync(kept, { recursive: true })
    cpSync(path.join(folder, 'pnpm-lock.yaml'), path.join(kept, 'lock.yaml'))
    writeFileSync(path.join(cwd, 'node_modules/.modules.yaml'), JSON.stringify(installed))
    const flags = ['list', '--recursive', '--depth', 'Infinity', '--json']
    return spawnSync(process.execPath, [cli, ...flags], { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 })
  })
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
  const own = packagesOf(reading)
  const { stdout, stderr } = spawnSync(program, ['pm', 'ls', '--all'], { cwd: folder, encoding: 'utf8' })
  const lines = stdout.matchAll(/[├└]── (\S+)$/gm)
  const aliases = aliasesIn(readText(folder, 'bun.lock'))
  const listed = [...lines].map(([, label]) => aliases.get(label!) ?? label!)
  const expected = new Set(listed.filter((label) => !label.includes('@workspace:')))
  if (expected.size === 0 && own.size > 0) return notCompared(project, `bun pm ls failed: ${stderr.slice(0, 200)}`)
  return toCompared(project, files, { packages: own.size, own, expected })
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

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseSyml } from '@yarnpkg/parsers'
import type { Reading } from '../../src/analysis/ecosystems/ecosystem.ts'
import { yarn } from '../../src/analysis/ecosystems/javascript/yarn/index.ts'
import { readLockBerry } from '../../src/analysis/ecosystems/javascript/yarn/lock-berry.ts'
import { readBlocks } from '../../src/analysis/ecosystems/javascript/yarn/lock-text.ts'
import { isBerryText } from '../../src/analysis/ecosystems/javascript/yarn/yarn-lock.ts'
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
import { lockedPart, toPlain, toTexts, walkV1, yarn1 } from './yarn-view.ts'

export function yarnComparisons({ manifests, yarns }: CompareSettings): Comparison[] {
  const root = path.join(manifests, 'yarn')
  const shared = { ecosystem: 'yarn', what: 'packages and edges of the lock', missing: needsProjects('yarn') }
  return [
    { ...shared, reference: "Yarn 1's parser", run: () => compareEach(root, againstYarn1) },
    {
      ...shared,
      what: 'entries of the lock',
      reference: "Yarn berry's parser",
      run: () => compareEach(root, againstSyml),
    },
    {
      ...shared,
      reference: 'yarn info',
      missing: firstOf(shared.missing, needsOption(yarns, 'Yarns of each generation: --yarns <folder>')),
      run: () => compareEach(root, (folder, project) => againstInfo(folder, project, yarns!)),
    },
  ]
}

async function againstYarn1(folder: string, project: string): Promise<Compared | undefined> {
  const text = readText(folder, 'yarn.lock')
  if (isBerryText(text)) return undefined
  const lock = yarn1.parse(text).object
  const files = filesOf(folder, /^package\.json$/)
  // We report dependencies that the lock lacks; Yarn's parser does not.
  const parts = files.map((file) => lockedPart(readText(folder, file), lock))
  const [target = '', ...members] = parts
  const reading = await readLocked(yarn, { target, additional: [...members, text] })
  const packages = packagesOf(reading).size
  return toCompared(project, files.length + 1, { packages, own: edgesOf(reading), expected: walkV1(lock, parts) })
}

async function againstSyml(folder: string, project: string): Promise<Compared | undefined> {
  const text = readText(folder, 'yarn.lock')
  if (!isBerryText(text)) return undefined
  const blocks = readBlocks(text, 'berry', 'target')
  const own = blocks.flatMap(({ keys, members }) => keys.map((key) => `${key} ${JSON.stringify(toPlain(members))}`))
  const expected = Object.entries(toTexts(parseSyml(text)) as object).map(
    ([key, all]) => `${key} ${JSON.stringify(all)}`,
  )
  return toCompared(project, 1, { packages: blocks.length, own: new Set(own), expected: new Set(expected) })
}

interface Line {
  readonly value: string
  readonly children: {
    readonly Version?: string
    readonly Dependencies?: readonly { readonly descriptor: string; readonly locator: string | null }[]
  }
}

/**
 * Compares with `yarn info`, which reads locks of its own generation only: version 4 of the lock needs Yarn 2.4, 5 and 6
 * need 3.0 and 3.4, 8 needs 4.1, 10 the newest. Virtual packages count as the package that they stand for; edges to peers
 * are left out, since Yarn does not list them.
 */
async function againstInfo(folder: string, project: string, yarns: string): Promise<Compared | undefined> {
  const version = /__metadata:\s+version: (\d+)/.exec(readText(folder, 'yarn.lock'))?.[1]
  if (version === undefined) return undefined
  const cli = path.join(yarns, 'node_modules', `yarn-lock-${version}`, 'bin/yarn.js')
  if (!existsSync(cli)) return notCompared(project, `no Yarn for version ${version} of the lock`)
  const output = await runInfo(path.resolve(cli), folder)
  if (output === undefined) return notCompared(project, `Yarn for version ${version} of the lock fails on this Node`)
  const files = filesOf(folder, /^package\.json$/)
  const own = linesOf(await readLocked(yarn, readManifest(folder, [...files, 'yarn.lock'])))
  return toCompared(project, files.length + 1, { packages: own.size, own, expected: linesOfYarn(output) })
}

/** Keeps only those settings that decide the graph: others may be unknown to this generation. */
function runInfo(cli: string, folder: string): Promise<Line[] | undefined> {
  return inCopy(folder, (copy) => {
    const settings = existsSync(path.join(copy, '.yarnrc.yml')) ? readText(copy, '.yarnrc.yml') : ''
    const kept = settings.split(/^(?=\S)/m).filter((block) => /^(?:catalogs?|packageExtensions):/.test(block))
    writeFileSync(path.join(copy, '.yarnrc.yml'), kept.join(''))
    addWorkspaces(copy)
    const env = { ...process.env, YARN_ENABLE_NETWORK: '0', YARN_ENABLE_TELEMETRY: '0', YARN_IGNORE_PATH: '1' }
    const flags = ['info', '--all', '--recursive', '--virtuals', '--json']
    const limits = { cwd: copy, env, maxBuffer: 1e9, timeout: 300_000, encoding: 'utf8' } as const
    const { status, stdout } = spawnSync(process.execPath, [cli, ...flags], limits)
    if (status !== 0) return undefined
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  })
}

/** Writes a package.json for each workspace of the lock that has none, with the dependencies in the lock. */
function addWorkspaces(folder: string): void {
  const { entries } = readLockBerry(readText(folder, 'yarn.lock'), 'target')
  for (const { name, workspace, dependencies } of entries) {
    const file = workspace === undefined ? undefined : path.join(folder, workspace, 'package.json')
    if (file === undefined || existsSync(file)) continue
    mkdirSync(path.dirname(file), { recursive: true })
    const ranges = Object.fromEntries(dependencies.map((dependency) => [dependency.name, dependency.range]))
    writeFileSync(file, JSON.stringify({ name, dependencies: ranges }))
  }
}

function linesOf({ graph }: Reading): Set<string> {
  const labels = graph.nodes.map(({ package: { name, version } }, index) =>
    index === 0 ? 'project' : toLabel(name, version),
  )
  const edges = graph.nodes.flatMap((node, from) =>
    node.edges.flatMap(({ to, kind }) => (kind === 'peer' ? [] : [`${labels[from]} → ${labels[to]}`])),
  )
  return new Set([...labels, ...edges])
}

function linesOfYarn(lines: readonly Line[]): Set<string> {
  const labels = new Map(lines.map(({ value, children }) => [value, labelOfLocator(value, children.Version)]))
  const edges = lines.flatMap(({ value, children }) =>
    (children.Dependencies ?? []).flatMap(({ locator }) => {
      const [from, to] = [labels.get(value), locator === null ? undefined : labels.get(locator)]
      return from === undefined || to === undefined || to === 'project' ? [] : [`${from} → ${to}`]
    }),
  )
  return new Set([...labels.values(), ...edges])
}

function labelOfLocator(locator: string, version: string | undefined): string {
  const [, name = '', reference = ''] = /^(@?[^@]+)@(?:virtual:[^#]*#)?(.*)$/.exec(locator) ?? []
  return reference.startsWith('workspace:') ? 'project' : toLabel(name, version ?? '')
}

/** Labels a package; without a version Yarn's label says so and ours has the source. */
function toLabel(name: string, version: string): string {
  return /^\d/.test(version) && version !== '0.0.0-use.local' ? `${name}@${version}` : `${name}@local`
}

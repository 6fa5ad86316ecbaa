import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Ecosystem, Manifest, Reading } from '../../src/analysis/ecosystems/ecosystem.ts'
import { gomodules } from '../../src/analysis/ecosystems/go/gomodules/index.ts'
import { npm } from '../../src/analysis/ecosystems/javascript/npm/index.ts'
import { pnpm } from '../../src/analysis/ecosystems/javascript/pnpm/index.ts'
import { yarn } from '../../src/analysis/ecosystems/javascript/yarn/index.ts'
import { gradle } from '../../src/analysis/ecosystems/jvm/gradle/index.ts'
import { pipenv } from '../../src/analysis/ecosystems/python/pipenv/index.ts'
import { poetry } from '../../src/analysis/ecosystems/python/poetry/index.ts'
import { uv } from '../../src/analysis/ecosystems/python/uv/index.ts'
import { sbom } from '../../src/analysis/ecosystems/sbom/index.ts'
import { distinctPackages, matchGraph } from '../../src/analysis/findings/match-graph.ts'
import type { OpenAdvisories } from '../../src/scanning/advisories/open-advisories.ts'
import { noRegistries } from '../../test/support/registries/registries.ts'
import { corpusLacks } from '../corpus/folder.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsProjects,
  notCompared,
  once,
  toCompared,
} from './comparison.ts'
import { openCorpusAdvisories } from './osv-scanner.ts'
import {
  filesOf,
  inCopy,
  labelOf,
  registryPackagesOf as labelsOf,
  options,
  orRefusal,
  projectsIn,
  readLocked,
  readManifest,
} from './projects.ts'

/** A lockfile and the manifests that are read with it, which lead where `isFirst` is not set. */
interface Lock {
  readonly ecosystem: Ecosystem
  readonly name: string
  readonly companions: RegExp
  readonly isFirst?: true
}

const locks = {
  npm: { ecosystem: npm, name: 'package-lock.json', companions: /^package\.json$/ },
  yarn: { ecosystem: yarn, name: 'yarn.lock', companions: /^package\.json$/ },
  pnpm: { ecosystem: pnpm, name: 'pnpm-lock.yaml', companions: /^package\.json$/ },
  poetry: { ecosystem: poetry, name: 'poetry.lock', companions: /^pyproject\.toml$/, isFirst: true },
  uv: { ecosystem: uv, name: 'uv.lock', companions: /^pyproject\.toml$/, isFirst: true },
  pipenv: { ecosystem: pipenv, name: 'Pipfile.lock', companions: /^Pipfile$/, isFirst: true },
  gradle: { ecosystem: gradle, name: 'gradle.lockfile', companions: /^$/, isFirst: true },
  gomodules: { ecosystem: gomodules, name: 'go.mod', companions: /^go\.sum$/, isFirst: true },
} satisfies Record<string, Lock>

/** A command that writes bills; the last lines of its output tell why it failed. */
interface Step {
  readonly program: string
  readonly parameters: readonly string[]
  /** The file that gets the output; undefined for programs that write files themselves. */
  readonly output?: string
}

/** A program that writes bills of materials of a folder. */
interface Producer {
  readonly program: string
  readonly reads: readonly Lock[]
  /** Commands that write `<format>.json`, `<format>.xml` or `<format>.spdx` into a folder, one or more at a time. */
  steps(lock: Lock, to: (file: string) => string): readonly Step[]
}

const versions = ['1.2', '1.3', '1.4', '1.5', '1.6'] as const
const python = [locks.poetry, locks.uv, locks.pipenv]
const javascript = [locks.npm, locks.yarn, locks.pnpm]

const producers: readonly Producer[] = [
  {
    program: 'npm',
    reads: [locks.npm],
    steps: (_, to) =>
      ['cyclonedx', 'spdx'].map((format) => ({
        program: 'npm',
        parameters: ['sbom', '--package-lock-only', '--sbom-format', format],
        output: to(`${format}.json`),
      })),
  },
  {
    program: 'cyclonedx-npm',
    reads: [locks.npm],
    steps: (_, to) =>
      versions.flatMap((version) =>
        ['json', 'xml'].map((format) => ({
          program: 'cyclonedx-npm',
          parameters: [
            ...['--package-lock-only', '--ignore-npm-errors', '--spec-version', version, '--output-format', format],
            ...['--output-file', to(`cyclonedx-${version}.${format}`)],
          ],
        })),
      ),
  },
  {
    program: 'cyclonedx-py',
    reads: [locks.poetry, locks.pipenv],
    steps: ({ ecosystem }, to) =>
      [...versions, '1.7'].flatMap((version) =>
        ['json', 'xml'].map((format) => ({
          program: 'cyclonedx-py',
          parameters: [
            ...[
              ecosystem.id,
              '--no-validate',
              ...(ecosystem === poetry ? ['--all-extras'] : ['--dev']),
              '--sv',
              version,
            ],
            ...['--of', format.toUpperCase(), '-o', to(`cyclonedx-${version}.${format}`)],
          ],
        })),
      ),
  },
  {
    program: 'syft',
    reads: [...javascript, ...python, locks.gradle, locks.gomodules],
    steps: (lock, to) => [
      {
        program: 'syft',
        parameters: [
          ...['scan', `file:${lock.name}`, '--quiet', '--source-name', 'project'],
          ...versions.flatMap((version) => [
            ...['-o', `cyclonedx-json@${version}=${to(`cyclonedx-${version}.json`)}`],
            ...['-o', `cyclonedx-xml@${version}=${to(`cyclonedx-${version}.xml`)}`],
          ]),
          ...['2.2', '2.3'].flatMap((version) => [
            ...['-o', `spdx-json@${version}=${to(`spdx-${version}.json`)}`],
            ...['-o', `spdx-tag-value@${version}=${to(`spdx-${version}.spdx`)}`],
          ]),
        ],
      },
    ],
  },
  {
    program: 'cdxgen',
    reads: [...javascript, ...python, locks.gradle, locks.gomodules],
    // With its last version it also writes SPDX 3.0.
    steps: ({ ecosystem }, to) =>
      ['1.5', '1.7'].map((version) => ({
        program: 'cdxgen',
        parameters: [
          ...['--no-install-deps', '--no-recurse', '--no-babel', '--spec-version', version],
          ...['--format', version === '1.7' ? 'cyclonedx,spdx' : 'cyclonedx'],
          ...['-t', types[ecosystem.id] ?? ecosystem.id, '-o', to(`cyclonedx-${version}.json`), '.'],
        ],
      })),
  },
]

const types: Readonly<Record<string, string>> = {
  ...{ npm: 'js', yarn: 'js', pnpm: 'js', poetry: 'python', uv: 'python', pipenv: 'python' },
  ...{ gradle: 'gradle', gomodules: 'go' },
}

/** Bills that other programs write from the lock of a project, as Gatehouse reads them, against its reading of the lock. */
export function billProducerComparisons(settings: CompareSettings): Comparison[] {
  return producers.flatMap((producer) => producer.reads.flatMap((lock) => comparisonsOf(producer, lock, settings)))
}

function comparisonsOf(producer: Producer, lock: Lock, { manifests, billTools, bills }: CompareSettings): Comparison[] {
  const { id } = lock.ecosystem
  const root = path.join(manifests, id)
  const env = withTools(billTools)
  const isThere = () => spawnSync(producer.program, ['--version'], { env }).error === undefined
  const written = once(async () => {
    const projects = projectsIn(root).filter((project) => existsSync(path.join(root, project, lock.name)))
    const all: Written[] = []
    for (const project of projects.slice(0, bills))
      all.push(await writeAll({ producer, lock, folder: path.join(root, project), env }))
    return all
  })
  const shared = {
    ecosystem: 'sbom',
    reference: `${id} by ${producer.program}`,
    missing: firstOf(needsProjects(id), () =>
      isThere() ? undefined : `needs ${producer.program}: --bill-tools <folder of programs>`,
    ),
  }
  return [
    { ...shared, what: 'packages of bills and of the lock', run: async () => (await written()).map(comparePackages) },
    {
      ...shared,
      what: 'vulnerabilities of packages that both list',
      missing: firstOf(() => corpusLacks('osv'), shared.missing),
      async run() {
        using advisories = await openCorpusAdvisories(path.join(manifests, '../osv'))
        return (await written()).map((written) => compareFindings(written, lock, advisories))
      },
    },
  ]
}

async function writeAll(order: Order): Promise<Written> {
  const { lock, folder } = order
  const project = path.basename(folder)
  const companions = filesOf(folder, lock.companions)
  const manifest = readManifest(folder, lock.isFirst ? [lock.name, ...companions] : [...companions, lock.name])
  const reading = await orRefusal(readLocked(lock.ecosystem, manifest))
  if (typeof reading === 'string') return { project, note: `we refuse the lock: ${reading}` }
  const bills = await writeBills(order)
  if (typeof bills === 'string') return { project, note: bills }
  return { project, reading, bills, elsewhere: await readElsewhere(lock, manifest) }
}

type Written =
  | { readonly project: string; readonly note: string }
  | {
      readonly project: string
      readonly reading: Reading
      readonly bills: ReadonlyMap<string, Reading>
      /** Packages of the lock that are installed on other systems or Pythons; the programs list those as well. */
      readonly elsewhere: ReadonlySet<string>
    }

interface Order {
  readonly producer: Producer
  readonly lock: Lock
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

async function readElsewhere({ ecosystem, name }: Lock, manifest: Manifest): Promise<Set<string>> {
  const matches = new Set<string>()
  if (!python.some((lock) => lock.name === name)) return matches
  for (const platform of ['linux', 'windows', 'macos'] as const) {
    for (const version of ['3.8', '3.9', '3.10', '3.11', '3.12', '3.13', '3.14']) {
      const choices = { ...options, python: { version, platform, basis: 'request' } as const }
      for (const label of labelsOf(await ecosystem.read(manifest, noRegistries, choices))) matches.add(label)
    }
  }
  return matches
}

/** Lets a program write its bills of a copy of the project. Returns the reason if it cannot. */
async function writeBills({ producer, lock, folder, env }: Order): Promise<ReadonlyMap<string, Reading> | string> {
  const to = mkdtempSync(path.join(tmpdir(), 'bills-'))
  try {
    const failure = await inCopy(folder, (cwd) => {
      for (const { program, parameters, output } of producer.steps(lock, (file) => path.join(to, file))) {
        const { status, stdout, stderr } = spawnSync(program, parameters, { cwd, env, ...quiet })
        if (status !== 0) return `${program} fails: ${(stderr || stdout).trim().slice(-200)}`
        if (output !== undefined) writeFileSync(output, stdout)
      }
      return undefined
    })
    if (failure !== undefined) return failure
    const bills = new Map<string, Reading>()
    for (const file of readdirSync(to).sort()) {
      const bill = await orRefusal(readLocked(sbom, readManifest(to, [file])))
      if (typeof bill === 'string') return `we refuse ${file}: ${bill}`
      bills.set(file, bill)
    }
    return bills
  } finally {
    rmSync(to, { recursive: true })
  }
}

const quiet = { encoding: 'utf8', maxBuffer: 2 ** 30, timeout: 300_000 } as const

/** Lets syft list packages for development, as we do. */
function withTools(folder: string | undefined): NodeJS.ProcessEnv {
  const { PATH = '' } = process.env
  return {
    ...process.env,
    SYFT_CHECK_FOR_APP_UPDATE: 'false',
    SYFT_JAVASCRIPT_INCLUDE_DEV_DEPENDENCIES: 'true',
    PATH: folder === undefined ? PATH : `${folder}:${PATH}`,
  }
}

function comparePackages(written: Written): Compared {
  if ('note' in written) return notCompared(written.project, written.note)
  return compareFormats(written, { of: labelsOf })
}

function compareFindings(written: Written, lock: Lock, advisories: OpenAdvisories): Compared {
  if ('note' in written) return notCompared(written.project, written.note)
  const { reading, bills } = written
  const own = labelsOf(reading)
  const common = new Set([...bills.values()].flatMap((bill) => [...labelsOf(bill).intersection(own)]))
  const of = (reading: Reading, ecosystem = sbom as Ecosystem) =>
    new Set(
      matchGraph(distinctPackages(reading.graph), ecosystem, advisories.snapshot).flatMap(
        ({ package: results, matches }) =>
          common.has(labelOf(results))
            ? matches.map(({ record }) => `${labelOf(results)} ${advisories.idOf(record)}`)
            : [],
      ),
    )
  return compareFormats(written, { of, ecosystem: lock.ecosystem })
}

interface Sides {
  readonly ecosystem?: Ecosystem
  of(reading: Reading, ecosystem?: Ecosystem): Set<string>
}

/** One line for each package or finding and format, so that all formats are held against the lock. */
function compareFormats(
  { project, reading, bills, elsewhere }: Exclude<Written, { readonly note: string }>,
  { of, ecosystem }: Sides,
): Compared {
  const own = of(reading, ecosystem)
  const product = new Set<string>()
  const expected = new Set<string>()
  for (const [file, bill] of bills) {
    for (const label of own) product.add(`${label} (${file})`)
    for (const label of of(bill)) if (own.has(label) || !elsewhere.has(label)) expected.add(`${label} (${file})`)
  }
  return toCompared(project, bills.size, { packages: own.size, own: product, expected })
}

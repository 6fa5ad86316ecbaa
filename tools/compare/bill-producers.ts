import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Ecosystem, Manifest, Reading } from '#analysis/ecosystems/ecosystem.ts'
import { gomodules } from '#analysis/ecosystems/go/gomodules/index.ts'
import { npm } from '#analysis/ecosystems/javascript/npm/index.ts'
import { pnpm } from '#analysis/ecosystems/javascript/pnpm/index.ts'
import { yarn } from '#analysis/ecosystems/javascript/yarn/index.ts'
import { gradle } from '#analysis/ecosystems/jvm/gradle/index.ts'
import { pipenv } from '#analysis/ecosystems/python/pipenv/index.ts'
import { poetry } from '#analysis/ecosystems/python/poetry/index.ts'
import { uv } from '#analysis/ecosystems/python/uv/index.ts'
import { sbom } from '#analysis/ecosystems/sbom/index.ts'
import { distinctPackages, matchGraph } from '#analysis/findings/match-graph.ts'
import type { OpenAdvisories } from '#scanning/advisories/open-advisories.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { corpusLacks } from '../corpus/folder.ts'
import { type Compared, type CompareSettings, type Comparison, toCompared } from './comparison.ts'
import { openShared } from './osv-scanner.ts'
import { filesOf, options, projectsIn, readLocked, readText } from './real-projects.ts'

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
export function billProducerComparisons({ manifests, billTools, bills }: CompareSettings): Comparison[] {
  return producers.flatMap((producer) =>
    producer.reads.flatMap((lock): Comparison[] => {
      const { id } = lock.ecosystem
      const written = once(async () => {
        const projects = projectsIn(path.join(manifests, id)).filter((each) =>
          existsSync(path.join(manifests, id, each, lock.name)),
        )
        const all: Written[] = []
        for (const project of projects.slice(0, bills)) {
          all.push(await writeAll(producer, lock, path.join(manifests, id, project)))
        }
        return all
      })
      const shared = {
        ecosystem: 'sbom',
        reference: `${id} by ${producer.program}`,
        missing: () =>
          corpusLacks(`manifests/${id}`) ??
          (spawnSync(producer.program, ['--version'], { env: withTools(billTools) }).error === undefined
            ? undefined
            : `needs ${producer.program}: --bill-tools <folder of programs>`),
      }
      return [
        {
          ...shared,
          what: 'packages of bills and of the lock',
          run: async () => (await written()).map(comparePackages),
        },
        {
          ...shared,
          what: 'vulnerabilities of what both list',
          missing: () => corpusLacks('osv') ?? shared.missing(),
          async run() {
            using advisories = await openShared(path.join(manifests, '../osv'))
            return (await written()).map((each) => compareFindings(each, lock, advisories))
          },
        },
      ]

      async function writeAll(each: Producer, of: Lock, folder: string): Promise<Written> {
        const project = path.basename(folder)
        const files = filesOf(folder, of.companions)
        const texts = files.map((file) => readText(folder, file))
        const text = readText(folder, of.name)
        const [target = '', ...additional] = of.isFirst ? [text, ...texts] : [...texts, text]
        const manifest = { target, additional }
        const reading = await orRefusal(readLocked(of.ecosystem, manifest))
        if (typeof reading === 'string') return { project, note: `we refuse the lock: ${reading}` }
        const bills = await writeBills({ producer: each, lock: of, folder, env: withTools(billTools) })
        if (typeof bills === 'string') return { project, note: bills }
        return { project, reading, bills, elsewhere: await readElsewhere(of, manifest) }
      }
    }),
  )
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
  const found = new Set<string>()
  if (!python.some((each) => each.name === name)) return found
  for (const platform of ['linux', 'windows', 'macos'] as const) {
    for (const version of ['3.8', '3.9', '3.10', '3.11', '3.12', '3.13', '3.14']) {
      const choices = { ...options, python: { version, platform, basis: 'request' } as const }
      for (const label of labelsOf(await ecosystem.read(manifest, noRegistries, choices))) found.add(label)
    }
  }
  return found
}

/** Lets a program write its bills of a copy of the project. Returns the reason if it cannot. */
async function writeBills({ producer, lock, folder, env }: Order): Promise<ReadonlyMap<string, Reading> | string> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'bills-'))
  const to = mkdtempSync(path.join(tmpdir(), 'bills-'))
  const copy = path.join(scratch, 'project')
  try {
    cpSync(folder, copy, { recursive: true })
    for (const { program, parameters, output } of producer.steps(lock, (file) => path.join(to, file))) {
      const { status, stdout, stderr } = spawnSync(program, parameters, { cwd: copy, env, ...quiet })
      if (status !== 0) return `${program} fails: ${(stderr || stdout).trim().slice(-200)}`
      if (output !== undefined) writeFileSync(output, stdout)
    }
    const bills = new Map<string, Reading>()
    for (const file of readdirSync(to).sort()) {
      const bill = await orRefusal(
        readLocked(sbom, { target: readFileSync(path.join(to, file), 'utf8'), additional: [] }),
      )
      if (typeof bill === 'string') return `we refuse ${file}: ${bill}`
      bills.set(file, bill)
    }
    return bills
  } finally {
    rmSync(scratch, { recursive: true })
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
  if ('note' in written) return { ...none, ...written }
  return compareEach(written, { of: labelsOf })
}

function compareFindings(written: Written, lock: Lock, advisories: OpenAdvisories): Compared {
  if ('note' in written) return { ...none, ...written }
  const { reading, bills } = written
  const own = labelsOf(reading)
  const common = new Set([...bills.values()].flatMap((bill) => [...labelsOf(bill).intersection(own)]))
  const of = (each: Reading, ecosystem = sbom as Ecosystem) =>
    new Set(
      matchGraph(distinctPackages(each.graph), ecosystem, advisories.snapshot).flatMap(({ package: found, matches }) =>
        common.has(labelOf(found)) ? matches.map(({ record }) => `${labelOf(found)} ${advisories.idOf(record)}`) : [],
      ),
    )
  return compareEach(written, { of, ecosystem: lock.ecosystem })
}

const none = { files: 0, packages: 0, lines: 0, onlyOurs: [], onlyTheirs: [] }

interface Sides {
  readonly ecosystem?: Ecosystem
  of(reading: Reading, ecosystem?: Ecosystem): Set<string>
}

/** One line for each package or finding and format, so that all formats are held against the lock. */
function compareEach(
  { project, reading, bills, elsewhere }: Exclude<Written, { readonly note: string }>,
  { of, ecosystem }: Sides,
): Compared {
  const own = of(reading, ecosystem)
  const ours = new Set<string>()
  const theirs = new Set<string>()
  for (const [file, bill] of bills) {
    for (const label of own) ours.add(`${label} (${file})`)
    for (const label of of(bill)) if (own.has(label) || !elsewhere.has(label)) theirs.add(`${label} (${file})`)
  }
  return toCompared(project, bills.size, { packages: own.size, ours, theirs })
}

/** Packages that have a registry, which a bill must name. */
function labelsOf({ graph }: Reading): Set<string> {
  return new Set(
    graph.nodes
      .slice(1)
      .filter(({ registry }) => registry !== 'none')
      .map(({ package: found }) => labelOf(found)),
  )
}

function labelOf({ name, version }: { readonly name: string; readonly version: string }): string {
  return `${name}@${version.replace(/^v(?=\d)/, '')}`
}

async function orRefusal(reading: Promise<Reading>): Promise<Reading | string> {
  return reading.catch((error: unknown) => (error instanceof Unreadable ? error.message : Promise.reject(error)))
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

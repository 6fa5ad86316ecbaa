import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { parseSyml } from '@yarnpkg/parsers'
import { registries } from '#analysis/advisories/package-names.ts'
import { ArboristOfNpm } from '#test/manifests/arborist-view.ts'
import { yarn1 } from '#test/manifests/yarn-view.ts'
import { corpusFolder } from '../tools/corpus/folder.ts'
import type { BenchProject } from './ecosystem-projects.ts'
import { median } from './load.ts'

/** A library that reads what one ecosystem's projects hold, measured in a process that has read one before. */
export interface OtherLibrary {
  readonly name: string
  readonly ecosystem: string
  /** Returns the reason for leaving it out; undefined if it can run. */
  missing(): string | undefined
  /** Measures one project in milliseconds; undefined if it is not supported. */
  measure(project: BenchProject): Promise<number | undefined>
}

/** A program that does everything from start to answer. */
export interface OtherProgram {
  readonly name: string
  readonly ecosystems: readonly string[]
  readonly does: string
  missing(): string | undefined
  /** Makes what it needs in a folder of its own, once. */
  prepare(folder: string): void
  run(project: BenchProject, folder: string): readonly [command: string, parameters: string[], env: NodeJS.ProcessEnv]
}

const ROUNDS = 5

const locks: Readonly<Record<string, string>> = {
  npm: 'package-lock.json',
  yarn: 'yarn.lock',
  pnpm: 'pnpm-lock.yaml',
  bun: 'bun.lock',
  rubygems: 'Gemfile.lock',
  gomodules: 'go.mod',
  poetry: 'poetry.lock',
  uv: 'uv.lock',
  pipenv: 'Pipfile.lock',
}

export const otherLibraries: readonly OtherLibrary[] = [
  inProcess('npm', 'Arborist, loadVirtual', ({ folder }) => new ArboristOfNpm({ path: folder }).loadVirtual()),
  inProcess('yarn', "Yarn's own parsers", async ({ additional }) => {
    const lock = additional.find((text) => text.includes('\n__metadata:') || text.includes('# yarn lockfile v1'))
    if (lock === undefined) throw new Error('no lock')
    return lock.includes('\n__metadata:') ? parseSyml(lock) : yarn1.parse(lock)
  }),
  bundler(),
]

export const otherPrograms: readonly OtherProgram[] = [osvScanner(), syft()]

/** Programs that were examined and cannot be measured here. */
export const notComparable: readonly string[] = [
  'npm audit, pip-audit, auditjs: each answer comes from a service; pip-audit has no way to read advisories from a file',
  'trivy, grype: they install through the Go proxy, but read databases of their own format from a service only',
  'bundler-audit, safety, retire.js: they read advisories of their own, which are not those that we read',
  'OWASP dependency-check: it wants the whole NVD from a service',
]

function inProcess(ecosystem: string, name: string, work: (project: BenchProject) => Promise<unknown>): OtherLibrary {
  return {
    ecosystem,
    name,
    missing: () => undefined,
    async measure(project) {
      const times: number[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        const start = performance.now()
        await work(project)
        times.push(performance.now() - start)
      }
      return median(times.slice(1))
    },
  }
}

function bundler(): OtherLibrary {
  const script = [
    "require 'bundler'",
    'text = STDIN.read',
    'now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) * 1000 }',
    'times = 6.times.map { start = now.(); Bundler::LockfileParser.new(text); now.() - start }',
    'puts times.drop(1).sort[2]',
  ].join('; ')
  return {
    ecosystem: 'rubygems',
    name: 'Bundler, LockfileParser',
    missing: () => (spawnSync('ruby', ['-rbundler', '-e', '1']).status === 0 ? undefined : 'needs Ruby with Bundler'),
    async measure({ target, additional, folder }) {
      const lock = [target, ...additional].find((text) => /^DEPENDENCIES$/m.test(text))
      if (lock === undefined) return undefined
      return Number(spawnSync('ruby', ['-e', script], { input: lock, encoding: 'utf8', cwd: folder }).stdout)
    },
  }
}

function osvScanner(): OtherProgram {
  const program = process.env['BENCH_OSV_SCANNER']
  const flags = ['scan', 'source', '--offline', '--all-packages', '--format', 'json', '--lockfile']
  return {
    name: 'osv-scanner',
    ecosystems: Object.keys(locks),
    does: 'reads and matches',
    missing: () => (program === undefined ? 'needs the program: BENCH_OSV_SCANNER' : undefined),
    prepare(folder) {
      const osv = path.join(corpusFolder, 'osv')
      mkdirSync(path.join(folder, 'osv-scalibr'))
      for (const name of registries) symlinkSync(path.resolve(osv, name), path.join(folder, 'osv-scalibr', name))
    },
    run(project, folder) {
      const env = { ...process.env, OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY: folder }
      return [program!, [...flags, path.join(project.folder, locks[project.ecosystem]!)], env]
    },
  }
}

/** Runs syft on a folder that contains only the project's files. */
function syft(): OtherProgram {
  const program = process.env['BENCH_SYFT']
  return {
    name: 'syft',
    ecosystems: ['npm', 'yarn', 'rubygems', 'pip', 'maven', 'gradle'],
    does: 'reads only',
    missing: () => (program === undefined ? 'needs the program: BENCH_SYFT' : undefined),
    prepare() {},
    run({ folder }) {
      const parameters = ['scan', '--quiet', '--output', 'json', `dir:${folder}`]
      return [program!, parameters, { ...process.env, SYFT_CHECK_FOR_APP_UPDATE: 'false' }]
    },
  }
}

import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { registries } from '../../src/analysis/advisories/package-names.ts'
import { corpusFolder, corpusLacks } from '../corpus/folder.ts'
import { median, printTable, start } from './load.ts'

const KEY = '3a2f5c1e-0f7b-4c55-9a51-4b1f0a7c8d20'
const ROUNDS = 5
/** Ecosystems whose locks every program reads. */
const locks = { npm: 'package-lock.json', yarn: 'yarn.lock', rubygems: 'Gemfile.lock', gomodules: 'go.mod' } as const
type Ecosystem = keyof typeof locks
const COMPARED = Object.keys(locks) as Ecosystem[]
/** Nothing listens there: a program that calls its vendor fails at once. */
const NOWHERE = 'http://127.0.0.1:1'

/** A folder of the corpus with a lockfile. */
interface BenchProject {
  readonly ecosystem: Ecosystem
  readonly name: string
  readonly folder: string
}

/** A command line that tests a folder. */
interface Tester {
  readonly name: string
  readonly ecosystems: readonly Ecosystem[]
  command(project: BenchProject): readonly [program: string, args: readonly string[], env: NodeJS.ProcessEnv]
}

interface Times {
  /** Milliseconds from the start of the process to its first output. */
  readonly firstMs: number
  readonly totalMs: number
  readonly code: number | null
  /** The last words on standard error. */
  readonly complaint: string
}

/**
 * Command lines that test the same folders, side by side: without a server, on a server, OSV-Scanner 2
 * (`BENCH_OSV_SCANNER`), and the vendor's CLI on our server (`BENCH_VENDOR_CLI`, the file `dist/cli/index.js` of its npm
 * package). All have the advisories of the corpus. The registries know no package and answer at once.
 */
export async function benchCommandLine(): Promise<void> {
  benchClientStart()
  const lacks = corpusLacks('manifests/npm') ?? corpusLacks('osv')
  if (lacks !== undefined) return console.log(`Tests of folders: skipped, ${lacks}\n`)
  const dir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-command-line-'))
  const registry = await openEmptyRegistry()
  const environment = {
    PATH: process.env['PATH'],
    HOME: dir,
    XDG_CACHE_HOME: path.join(dir, 'cache'),
    ...registry.settings,
  }
  spawnSync(
    process.execPath,
    ['bin/gatehouse.js', 'advisories', 'sync', '--local', '--from', path.join(corpusFolder, 'osv')],
    {
      env: environment,
      stdio: 'inherit',
    },
  )
  const data = path.join(dir, 'data')
  cpSync(path.join(dir, 'cache/gatehouse'), data, { recursive: true })
  const server = await start(['bin/gatehouse.js', 'serve'], {
    ...registry.settings,
    GATEHOUSE_DATA_DIR: data,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ADMIN_API_KEY: KEY,
    GATEHOUSE_LOG_LEVEL: 'warn',
  })
  try {
    const testers = [...own(environment, server.baseUrl), ...others(dir), ...vendor(environment, server.baseUrl)]
    await compare(testers)
  } finally {
    await server.stop()
    registry.close()
    rmSync(dir, { recursive: true })
  }
}

/** Answers 404 to all, so that no time is spent on retries and networks: reading and matching are measured. */
async function openEmptyRegistry() {
  const server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { GATEHOUSE_NPM_REGISTRY: url, GATEHOUSE_RUBYGEMS_URL: url, GATEHOUSE_GO_PROXY: url }
  return { settings, close: () => server.close() }
}

/** The client part of the command line: from the start of the process to its end (target: 300 ms). */
function benchClientStart(): void {
  const programs = ['bin/gatehouse.js', 'dist/bin/gatehouse.js'].filter((program) => existsSync(program))
  const rows = programs.flatMap((program) =>
    [['--version'], ['projects', '--help'], ['test', '--help'], ['whoami']].map((args) => {
      const times: number[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        const begun = performance.now()
        spawnSync(process.execPath, [program, ...args], { env: { PATH: process.env['PATH'], HOME: tmpdir() } })
        times.push(performance.now() - begun)
      }
      return [`${program} ${args.join(' ')}`, median(times.slice(1))]
    }),
  )
  console.log(`Start to end of client commands, median of ${ROUNDS} (target: 300 ms; "whoami" ends without a server)`)
  printTable(['', 'ms'], rows)
}

function own(environment: NodeJS.ProcessEnv, baseUrl: string): Tester[] {
  const program = ['dist/bin/gatehouse.js', 'bin/gatehouse.js'].find((path) => existsSync(path))!
  const onServer = { ...environment, GATEHOUSE_URL: baseUrl, GATEHOUSE_KEY: KEY }
  const testWith = (env: NodeJS.ProcessEnv, more: readonly string[]): Tester['command'] => {
    return ({ folder }) => [process.execPath, [program, 'test', '--json', '--include-dev', ...more, folder], env]
  }
  return [
    { name: 'gatehouse test --local', ecosystems: COMPARED, command: testWith(environment, ['--local']) },
    { name: 'gatehouse test', ecosystems: COMPARED, command: testWith(onServer, []) },
  ]
}

function others(dir: string): Tester[] {
  const program = process.env['BENCH_OSV_SCANNER']
  if (program === undefined) {
    console.log('  osv-scanner: left out, needs the program: BENCH_OSV_SCANNER')
    return []
  }
  mkdirSync(path.join(dir, 'osv-scalibr'))
  for (const name of registries)
    symlinkSync(path.resolve(corpusFolder, 'osv', name), path.join(dir, 'osv-scalibr', name))
  const env = { ...process.env, OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY: dir }
  const flags = ['scan', 'source', '--offline', '--all-packages', '--format', 'json', '--lockfile']
  return [
    {
      name: 'osv-scanner',
      ecosystems: COMPARED,
      command: ({ folder, ecosystem }) => [program, [...flags, path.join(folder, locks[ecosystem])], env],
    },
  ]
}

function vendor(environment: NodeJS.ProcessEnv, baseUrl: string): Tester[] {
  const bundle = process.env['BENCH_VENDOR_CLI']
  if (bundle === undefined) {
    console.log("  The vendor's CLI: left out, needs its bundle: BENCH_VENDOR_CLI")
    return []
  }
  const env = {
    ...environment,
    SNYK_API: `${baseUrl}/v1`,
    SNYK_TOKEN: KEY,
    SNYK_DISABLE_ANALYTICS: '1',
    SNYK_HTTP_PROTOCOL_UPGRADE: '0',
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    NO_PROXY: '127.0.0.1',
  }
  const args = [bundle, 'test', '--json', '--dev', '--strict-out-of-sync=false']
  return [
    {
      name: "vendor's CLI on gatehouse",
      ecosystems: ['npm', 'yarn', 'rubygems'],
      command: ({ folder }) => [process.execPath, [...args, folder], env],
    },
  ]
}

/** In turns, so that other load of the machine meets all; medians, after a round that warms up the disk. */
async function compare(testers: readonly Tester[]): Promise<void> {
  const rows: (string | number)[][] = []
  for (const project of COMPARED.flatMap(threeProjects)) {
    const fitting = testers.filter((tester) => tester.ecosystems.includes(project.ecosystem))
    const measured = new Map<Tester, Times[]>(fitting.map((tester) => [tester, []]))
    for (let round = 0; round <= ROUNDS; round++) {
      for (const tester of fitting) measured.get(tester)!.push(await measure(tester.command(project)))
    }
    for (const [{ name }, [, ...times]] of measured) {
      const [first, total] = [median(times.map(({ firstMs }) => firstMs)), median(times.map(({ totalMs }) => totalMs))]
      const { code, complaint } = times[0]!
      rows.push([project.ecosystem, project.name, name, first, total, String(code)])
      if (code !== 0 && code !== 1) console.log(`  ${name} failed on ${project.name}: ${complaint}`)
    }
  }
  console.log(`Tests of real folders from the start of the process, ${ROUNDS} rounds in turns, medians`)
  printTable(['ecosystem', 'project', 'command line', 'first output ms', 'total ms', 'exit code'], rows)
}

/** The projects with the smallest, the middle and the largest lockfile. */
function threeProjects(ecosystem: Ecosystem): BenchProject[] {
  const root = path.join(corpusFolder, 'manifests', ecosystem)
  if (!existsSync(root)) return []
  const all = readdirSync(root)
    .map((name) => ({ ecosystem, name, folder: path.join(root, name) }))
    .filter(({ folder }) => existsSync(path.join(folder, locks[ecosystem])))
  const sizeOf = ({ folder }: BenchProject) => statSync(path.join(folder, locks[ecosystem])).size
  all.sort((a, b) => sizeOf(a) - sizeOf(b))
  return [...new Set([0, Math.floor(all.length / 2), all.length - 1])].flatMap((at) => all[at] ?? [])
}

async function measure([program, args, env]: ReturnType<Tester['command']>): Promise<Times> {
  const begun = performance.now()
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let firstMs: number | undefined
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-500)
  })
  child.stdout.on('data', () => {
    firstMs ??= performance.now() - begun
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const totalMs = performance.now() - begun
  return { firstMs: firstMs ?? totalMs, totalMs, code, complaint }
}

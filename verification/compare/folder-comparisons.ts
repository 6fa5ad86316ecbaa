import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { programEnvironment } from '../../test/support/servers/program.ts'
import { startServer } from '../../test/support/servers/server-process.ts'
import { corpusFolder, corpusLacks } from '../corpus/folder.ts'
import { type Compared, type CompareSettings, type Comparison, toCompared } from './comparison.ts'
import { projectsIn } from './projects.ts'

/** Nothing listens there, so each registry is unreachable at once, on both sides. */
const NOWHERE = 'http://127.0.0.1:1'
const NO_REGISTRIES = {
  GATEHOUSE_NPM_REGISTRY: NOWHERE,
  GATEHOUSE_PYPI_URL: NOWHERE,
  GATEHOUSE_RUBYGEMS_URL: NOWHERE,
  GATEHOUSE_MAVEN_REPOSITORIES: NOWHERE,
  GATEHOUSE_GO_PROXY: NOWHERE,
}
/** Time for whatever a slow machine does: where a limit of time ends a search, the result says so. */
const ENOUGH_TIME = { GATEHOUSE_TEST_SECONDS: '600' }
const MAX_OUTPUT_BYTES = 1024 ** 3

/** `gatehouse test --json` on whole projects: without a server, and on one with the same advisories. */
export function folderComparisons({ manifests, mayAskRegistries, allow }: CompareSettings): Comparison[] {
  return [
    {
      ecosystem: 'folders',
      what: 'JSON of gatehouse test --local',
      reference: 'gatehouse test on a server',
      missing: () => corpusLacks('manifests'),
      run: () =>
        compareFolders(manifests, { ...ENOUGH_TIME, ...(mayAskRegistries ? {} : NO_REGISTRIES), ...allowed(allow) }),
    },
  ]
}

function allowed(networks: readonly string[]): Record<string, string> {
  return networks.length === 0 ? {} : { GATEHOUSE_OUTGOING_ALLOW: networks.join(',') }
}

async function compareFolders(manifests: string, settings: Record<string, string>): Promise<Compared[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'gatehouse-compare-'))
  const data = path.join(home, 'data')
  const environment = { HOME: home, XDG_CACHE_HOME: path.join(home, 'cache'), ...settings }
  try {
    await syncBoth(environment, data)
    const key = randomUUID()
    const server = await startServer({
      ...environment,
      GATEHOUSE_DATA_DIR: data,
      GATEHOUSE_ADMIN_API_KEY: key,
      GATEHOUSE_LOG_LEVEL: 'warn',
    })
    try {
      const onServer = { ...environment, GATEHOUSE_URL: server.baseUrl, GATEHOUSE_KEY: key }
      const compared: Compared[] = []
      for (const project of projectsIn(manifests).flatMap((kind) => foldersOf(manifests, kind))) {
        const folder = path.join(manifests, project)
        const here = await run(['test', '--local', '--json', folder], environment)
        const there = await run(['test', '--json', folder], onServer)
        compared.push(compare(project, here, there))
      }
      return compared
    } finally {
      await server.end('SIGTERM')
    }
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** Gives both sides one snapshot, that of the corpus if it has advisories: when it was built is part of a result. */
async function syncBoth(environment: Record<string, string>, data: string): Promise<void> {
  const osv = path.join(corpusFolder, 'osv')
  if (existsSync(osv)) await run(['advisories', 'sync', '--local', '--from', osv], environment)
  else await run(['advisories', 'status', '--local'], environment)
  cpSync(path.join(environment['XDG_CACHE_HOME']!, 'gatehouse'), data, { recursive: true })
}

function foldersOf(manifests: string, kind: string): string[] {
  return kind.includes('.') ? [] : projectsIn(path.join(manifests, kind)).map((name) => path.join(kind, name))
}

interface Run {
  readonly code: number
  readonly output: string
}

function run(args: readonly string[], environment: Record<string, string>): Promise<Run> {
  return new Promise((resolve, reject) => {
    const env = { ...programEnvironment, ...environment }
    const options = { env, maxBuffer: MAX_OUTPUT_BYTES }
    execFile(process.execPath, ['bin/gatehouse.js', ...args], options, (error, output, errors) => {
      const code = error === null ? 0 : error.code
      if (code === 0 || code === 1 || code === 3) resolve({ code, output })
      else if (code === 2 && output !== '') resolve({ code, output })
      else reject(new Error(`gatehouse ${args.join(' ')} ended with ${code}: ${errors}`))
    })
  })
}

/** Compares bytes; differences are shown as the lines that only one side has. */
function compare(project: string, here: Run, there: Run): Compared {
  const document = JSON.parse(here.output || '{"projects":[]}') as {
    projects: { result?: { dependencyCount: number } }[]
  }
  const packages = document.projects.reduce((sum, { result }) => sum + (result?.dependencyCount ?? 0), 0)
  const files = document.projects.length
  const linesOf = ({ code, output }: Run) => new Set([`exit code ${code}`, ...output.split('\n')])
  const compared = toCompared(project, files, { packages, own: linesOf(here), expected: linesOf(there) })
  const isSame = here.output === there.output || compared.onlyOurs.length + compared.onlyTheirs.length > 0
  return isSame ? compared : { ...compared, onlyOurs: ['the same lines in another order'] }
}

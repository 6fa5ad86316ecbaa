import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { toEnvironment } from '../../src/analysis/ecosystems/python/packaging/environment.ts'
import { toProjectName } from '../../src/analysis/ecosystems/python/packaging/project-name.ts'
import { pip } from '../../src/analysis/ecosystems/python/pip/index.ts'
import { readProjectFiles } from '../../src/analysis/ecosystems/python/requirements/project-files.ts'
import { toRequestedPackages } from '../../src/analysis/ecosystems/python/requirements/requested-packages.ts'
import { migrate } from '../../src/foundation/db/migrate.ts'
import { openDatabase } from '../../src/foundation/db/open-database.ts'
import { createOutgoing } from '../../src/foundation/outgoing/outgoing.ts'
import { createPyPiRegistry } from '../../src/scanning/registries/pypi/pypi-registry.ts'
import { registriesOf } from '../../test/support/registries/registries.ts'
import { cacheIn } from '../../test/support/registries/registry-cache.ts'
import {
  type Compared,
  type CompareSettings,
  type Comparison,
  firstOf,
  needsCommand,
  needsProjects,
  needsRegistries,
  notCompared,
  toCompared,
} from './comparison.ts'
import { filesOf, options, packagesOf, projectsIn } from './projects.ts'

const LONGEST_MS = 600_000
const answersFolder = path.join(tmpdir(), 'gatehouse-pip-answers')

/** Requirements files as pip parses and resolves them. */
export function pipComparisons(settings: CompareSettings): Comparison[] {
  const { python } = settings
  const needsPip = firstOf(needsProjects('pip'), needsCommand('Python with pip: --python', python, '-m', 'pip', '-V'))
  return [
    {
      ecosystem: 'pip',
      what: 'lines of requirements files',
      reference: "pip's parser",
      missing: needsPip,
      run: async () => requirementFiles(settings).map((file) => compareLines(file, python)),
    },
    {
      ecosystem: 'pip',
      what: 'resolution of requirements',
      reference: 'pip install --report',
      missing: firstOf(needsPip, needsRegistries(settings)),
      run: () => compareResolutions(settings),
    },
  ]
}

function requirementFiles({ manifests }: CompareSettings): string[] {
  const root = path.join(manifests, 'pip')
  const folders = projectsIn(root).map((project) => path.join(root, project))
  return folders.flatMap((folder) =>
    filesOf(folder, /requirements.*\.(?:txt|in)$/).map((file) => path.resolve(folder, file)),
  )
}

/** A requirements file and the files that it refers to, in the order of their first reference. */
function withReferences(file: string, texts = new Map<string, string>()): Map<string, string> {
  if (texts.has(file) || !existsSync(file)) return texts
  const text = readFileSync(file, 'utf8')
  texts.set(file, text)
  for (const [, reference] of text.matchAll(/^\s*(?:-r|-c|--requirement|--constraint)[ =]?(\S+)/gm))
    withReferences(path.join(path.dirname(file), reference!), texts)
  return texts
}

function toManifest(file: string, texts: ReadonlyMap<string, string>) {
  const [target = '', ...additional] = [...texts].map(([name, text]) =>
    name === file ? text : `# file: ${path.relative(path.dirname(file), name)}\n${text}`,
  )
  return { target, additional }
}

function nameOf(file: string): string {
  return file.split('/').slice(-2).join('/')
}

const parserScript = `
import json, platform, sys
from pip._internal.network.session import PipSession
from pip._internal.req.constructors import install_req_from_parsed_requirement
from pip._internal.req.req_file import parse_requirements
from pip._vendor.packaging.utils import canonicalize_name
lines, refused = [], None
try:
    for parsed in parse_requirements(sys.argv[1], session=PipSession()):
        each = install_req_from_parsed_requirement(parsed)
        if each.constraint or not each.match_markers() or each.name is None:
            continue
        extras = ','.join(sorted({canonicalize_name(extra) for extra in each.extras}))
        specifiers = ','.join(sorted(str(one).replace(' ', '') for one in each.specifier)) if each.req else ''
        lines.append(f'{canonicalize_name(each.name)}[{extras}]{specifiers}')
except Exception as error:
    refused = type(error).__name__ + ': ' + str(error).strip().split('\\n')[0][:120]
print(json.dumps({'lines': lines, 'refused': refused, 'python': platform.python_version()}))
`

interface Parsed {
  readonly lines: readonly string[]
  readonly refused: string | null
  readonly python: string
}

/** Compares names, ranges and extras. pip stops reading at a line that it refuses: only what it read is compared then. */
function compareLines(file: string, python: string): Compared {
  const output = spawnSync(python, ['-c', parserScript, file], { encoding: 'utf8' }).stdout
  const { lines, refused, python: version } = JSON.parse(output) as Parsed
  const texts = withReferences(file)
  const { markers } = toEnvironment({ version, platform: 'linux' })
  const { direct } = toRequestedPackages(readProjectFiles(toManifest(file, texts), 50_000), markers)
  const own = direct.map(({ requirement: { project, extras, range } }) => {
    const specifiers = range.split(',').map((part) => part.replace(/\s/g, ''))
    return `${project}[${extras.join()}]${specifiers.sort().join()}`
  })
  const product = new Set(refused === null ? own : own.filter((line) => lines.includes(line)))
  const compared = toCompared(nameOf(file), texts.size, {
    packages: own.length,
    own: product,
    expected: new Set(lines),
  })
  return refused === null ? compared : { ...compared, note: `pip refuses: ${refused}` }
}

async function compareResolutions(settings: CompareSettings): Promise<Compared[]> {
  const dataDir = path.join(answersFolder, 'database')
  mkdirSync(dataDir, { recursive: true })
  const database = openDatabase({ url: undefined, dataDir, maxConnections: 2, onError: () => {} })
  await migrate(database)
  const outgoing = createOutgoing({ allow: settings.allow })
  const now = () => Date.now()
  const parts = { cache: cacheIn(database.db, now), outgoing, now }
  const pypi = createPyPiRegistry(parts, { maxAgeMs: 24 * 3_600_000 })
  const version = pythonVersion(settings.python)
  const compared: Compared[] = []
  for (const file of requirementFiles(settings)) {
    const texts = withReferences(file)
    const { packages, failure } = askPip(file, texts, settings.python)
    if (failure !== '') compared.push(notCompared(nameOf(file), `pip refuses: ${failure}`))
    else {
      const choices = { ...options, python: { version, platform: 'linux' } as const }
      const reading = await pip.read(toManifest(file, texts), registriesOf({ pypi }), choices)
      const own = new Set([...packagesOf(reading)].map(withPlainVersion))
      const expected = new Set(packages.map(withPlainVersion))
      compared.push(toCompared(nameOf(file), texts.size, { packages: own.size, own, expected }))
    }
  }
  await outgoing.close()
  await database.close()
  return compared
}

function pythonVersion(python: string): string {
  const script = 'import platform; print(platform.python_version())'
  return spawnSync(python, ['-c', script], { encoding: 'utf8' }).stdout.trim()
}

interface PipAnswer {
  readonly packages: readonly string[]
  readonly failure: string
}

/** Returns pip's resolution, or its last message on failure; keeps it in the folder for temporary files. */
function askPip(file: string, texts: ReadonlyMap<string, string>, python: string): PipAnswer {
  const key = createHash('sha256')
    .update([pythonVersion(python), file, ...texts.values()].join('\n'))
    .digest('hex')
  const cached = path.join(answersFolder, `${key}.json`)
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as PipAnswer
  const folder = mkdtempSync(path.join(tmpdir(), 'pip-'))
  for (const [name, text] of texts) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const answer = runPip(path.join(folder, file), python)
  rmSync(folder, { recursive: true })
  writeFileSync(cached, JSON.stringify(answer))
  return answer
}

function runPip(file: string, python: string): PipAnswer {
  const flags = ['--dry-run', '--ignore-installed', '--no-input', '--quiet', '--report', '-', '-r', path.basename(file)]
  const limits = { cwd: path.dirname(file), timeout: LONGEST_MS, maxBuffer: 1e9, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(python, ['-m', 'pip', 'install', ...flags], limits)
  if (status !== 0) {
    const errors = stderr.split('\n').filter((line) => /^\s*(?:error|ERROR)/.test(line))
    return { packages: [], failure: (errors.at(-1) ?? 'no answer').trim().slice(0, 200) }
  }
  const { install } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    install: { metadata: { name: string; version: string } }[]
  }
  const packages = install.map(({ metadata: { name, version } }) => `${toProjectName(name)}@${version}`)
  return { packages, failure: '' }
}

/** Returns the normalized version: pip reports the spelling in the metadata, from which files may differ. */
function withPlainVersion(text: string): string {
  const [name = '', version = ''] = text.split('@')
  return `${name}@${version
    .replace(/^v/, '')
    .replace(/[-_.]?(a|b|rc|post|dev)[-_.]?(\d)/g, '$1$2')
    .replace(/(?:\.0)+$/, '')}`
}

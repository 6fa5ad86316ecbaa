import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Ecosystem } from '../../src/analysis/ecosystems/ecosystem.ts'
import { pipenv } from '../../src/analysis/ecosystems/python/pipenv/index.ts'
import { poetry } from '../../src/analysis/ecosystems/python/poetry/index.ts'
import { pyproject } from '../../src/analysis/ecosystems/python/pyproject/index.ts'
import { uv } from '../../src/analysis/ecosystems/python/uv/index.ts'
import { noRegistries } from '../../test/support/registries/registries.ts'
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
import { compareEach, filesOf, inCopy, options, orRefusal, packagesOf, readText } from './projects.ts'

/** A tool that says what it would install from its lockfile, without installing. */
interface PythonTool {
  readonly ecosystem: Ecosystem
  readonly lock: string
  readonly companions: RegExp
  readonly reference: string
  /** Command and parameters, in a copy of the project with the text of its lock. */
  command(places: Places, lock: string): readonly [string, ...string[]]
  /** Lines of the output that name a package and its version, or its source. */
  readonly line: RegExp
}

/** `bin` has the tools, `python` is an interpreter without packages. */
interface Places {
  readonly bin: string
  readonly python: string
}

/** uv names the source of a package that is from no registry, and the folder of the project itself. */
const uvLine = /^ \+ ([\w.-]+)(?:==(\S+)| @ (?!file:)\S+)/gm

const tools: readonly PythonTool[] = [
  {
    ecosystem: poetry,
    lock: 'poetry.lock',
    companions: /^pyproject\.toml$/,
    reference: 'poetry install --dry-run',
    command: ({ bin }) => [
      path.join(bin, 'poetry'),
      ...['install', '--dry-run', '--no-root', '--all-extras', '--all-groups', '--no-ansi', '--no-interaction'],
    ],
    line: /^ +- (?:Installing|Updating|Downgrading) ([\w.-]+) \((?:\S+ -> )?([^\s)]+)[^)]*\)(?!: Skipped)/gm,
  },
  {
    ecosystem: uv,
    lock: 'uv.lock',
    companions: /^pyproject\.toml$/,
    reference: 'uv sync --dry-run',
    command: ({ bin, python }) => [
      path.join(bin, 'uv'),
      ...['sync', '--dry-run', '--frozen', '--all-extras', '--all-groups', '--all-packages', '--no-install-workspace'],
      ...['--offline', '--no-python-downloads', '--python', python],
    ],
    line: uvLine,
  },
  {
    ecosystem: pipenv,
    lock: 'Pipfile.lock',
    companions: /^Pipfile$/,
    reference: 'pipenv requirements',
    command: ({ bin, python }) => [
      path.join(bin, 'python'),
      ...['-c', requirementsThatApply, path.join(bin, 'pipenv'), python],
    ],
    line: /^([\w.-]+)==(\S+)$/gm,
  },
  {
    ecosystem: pyproject,
    lock: 'pylock.toml',
    companions: /^$/,
    reference: 'uv pip sync --dry-run',
    command: ({ bin, python }, lock) => [
      path.join(bin, 'uv'),
      ...['pip', 'sync', '--dry-run', '--offline', '--no-python-downloads', '--python', python, 'pylock.toml'],
      ...[...(/^extras = \[\s*\S/m.test(lock) ? ['--all-extras'] : []), ...groupsOf(lock)],
    ],
    line: uvLine,
  },
]

/** Parameters for all dependency groups of a pylock.toml. */
function groupsOf(lock: string): string[] {
  const [, list = ''] = /^dependency-groups = \[([^\]]*)\]/m.exec(lock) ?? []
  return [...list.matchAll(/"([^"]+)"/g)].flatMap(([, name]) => ['--group', name!])
}

/** Pipenv prints every entry with its marker, which the library of PyPA judges. */
const requirementsThatApply = `
import subprocess, sys
from packaging.requirements import InvalidRequirement, Requirement
out = subprocess.run([sys.argv[1], 'requirements', '--dev'], capture_output=True, text=True)
sys.stderr.write(out.stderr)
for line in out.stdout.split('\\n'):
    try:
        each = Requirement(line)
    except InvalidRequirement:
        continue
    if each.marker is None or each.marker.evaluate({'extra': '', 'extras': set(), 'dependency_groups': set()}):
        print(f'{each.name}{each.specifier}')
`

/** Locks of Python's tools as the tools would install them on this machine. */
export function pythonToolComparisons({ manifests, pythonTools }: CompareSettings): Comparison[] {
  return tools.map((tool) => ({
    ecosystem: tool.ecosystem.id,
    what: 'packages of the lock',
    reference: tool.reference,
    missing: firstOf(
      needsProjects(tool.ecosystem.id),
      needsOption(pythonTools[0], 'Poetry, uv and Pipenv: --python-tools <bin folder>'),
    ),
    async run() {
      const environments = pythonTools.map(openEnvironment)
      try {
        return await compareEach(path.join(manifests, tool.ecosystem.id), async (folder) =>
          existsSync(path.join(folder, tool.lock)) ? compareWithAny(tool, folder, environments) : undefined,
        )
      } finally {
        for (const { folder } of environments) rmSync(folder, { recursive: true })
      }
    },
  }))
}

interface Environment {
  readonly bin: string
  readonly folder: string
  /** An interpreter without packages, and its version. */
  readonly python: string
  readonly version: string
}

function openEnvironment(bin: string): Environment {
  const folder = mkdtempSync(path.join(tmpdir(), 'python-tools-'))
  const interpreter = path.join(bin, 'python')
  spawnSync(interpreter, ['-m', 'venv', '--without-pip', folder])
  const { stdout } = spawnSync(interpreter, ['-c', 'import platform; print(platform.python_version())'], {
    encoding: 'utf8',
  })
  return { bin, folder, python: path.join(folder, 'bin/python'), version: stdout.trim() }
}

async function compareWithAny(tool: PythonTool, folder: string, all: readonly Environment[]): Promise<Compared> {
  let last: Compared | undefined
  for (const environment of all) {
    last = await compare(tool, folder, environment)
    if (last.note === undefined) break
  }
  return last!
}

async function compare(tool: PythonTool, folder: string, environment: Environment): Promise<Compared> {
  const project = path.basename(folder)
  const files = filesOf(folder, tool.companions)
  const manifest = {
    target: readText(folder, tool.lock),
    additional: files.map((file) => readText(folder, file)),
    places: { target: tool.lock, additional: files },
  }
  const python = { version: environment.version, platform: 'linux', basis: 'request' } as const
  const reading = await orRefusal(tool.ecosystem.read(manifest, noRegistries, { ...options, python }))
  const { output, failure } = await run(tool, folder, environment)
  if (typeof reading === 'string')
    return notCompared(project, `we refuse it: ${reading}${failure === undefined ? '' : ', and so does the tool'}`)
  if (failure !== undefined) return notCompared(project, `the tool refuses it: ${failure}`)
  const own = new Set([...packagesOf(reading)].map(toComparable))
  const expected = new Set(
    [...output.matchAll(tool.line)].map(([, name = '', version]) => {
      const label = toComparable(`${name}@${version ?? ''}`)
      return version === undefined ? ([...own].find((ownLabel) => ownLabel.startsWith(label)) ?? label) : label
    }),
  )
  return toCompared(project, files.length + 1, { packages: own.size, own, expected })
}

function run({ command, lock }: PythonTool, project: string, { bin, python, folder }: Environment) {
  return inCopy(project, (cwd) => {
    const [program, ...parameters] = command({ bin, python }, readText(project, lock))
    const env = { ...process.env, VIRTUAL_ENV: folder }
    const { status, stdout, stderr } = spawnSync(program, parameters, { cwd, encoding: 'utf8', env })
    const failure = status === 0 ? undefined : (stderr || stdout).trim().replace(/\s+/g, ' ').slice(-300)
    return { output: stdout + stderr, failure }
  })
}

/** Names as indexes compare them (PEP 503); the local part of a version stays. */
function toComparable(label: string): string {
  const at = label.lastIndexOf('@')
  return `${label
    .slice(0, at)
    .toLowerCase()
    .replace(/[-_.]+/g, '-')}${label.slice(at)}`
}

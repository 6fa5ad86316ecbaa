import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { corpusLacks } from '../corpus/folder.ts'
import type { Compared, CompareSettings, Comparison } from './comparison.ts'
import { filesOf, projectsIn, readText } from './real-projects.ts'

const tools = path.join(import.meta.dirname, '..')
const LONGEST_MS = 3 * 3_600_000

/** Comparisons that are tools of their own, as they start other programs or ask registries: their tables are read. */
export function toolComparisons(settings: CompareSettings): Comparison[] {
  const { manifests, yarns, python, coursier, allow, mayAskRegistries, installs } = settings
  const foldersOf = (ecosystem: string) =>
    projectsIn(path.join(manifests, ecosystem)).map((project) => path.join(manifests, ecosystem, project))
  const allowed = allow.flatMap((network) => ['--allow', network])
  const requirementFiles = () =>
    foldersOf('pip').flatMap((folder) =>
      filesOf(folder, /requirements.*\.(?:txt|in)$/).map((file) => path.join(folder, file)),
    )
  const needsRegistries = () => (mayAskRegistries ? undefined : 'asks registries: --registries')
  const needsProjects = (ecosystem: string) => corpusLacks(`manifests/${ecosystem}`)
  const needsProgram = (program: string) =>
    spawnSync(program, ['--version']).error === undefined ? undefined : `needs ${program}`
  const needsGo = () => (spawnSync('go', ['version']).status === 0 ? undefined : 'needs go')
  return [
    {
      ecosystem: 'yarn',
      what: 'packages and edges of the lock',
      reference: 'yarn info',
      missing: () =>
        needsProjects('yarn') ?? (yarns === undefined ? 'needs Yarns of each generation: --yarns <folder>' : undefined),
      run: async () => foldersOf('yarn').flatMap((folder) => compareWithYarn(yarns!, folder)),
    },
    {
      ecosystem: 'npm',
      what: 'what package.json resolves to',
      reference: 'npm install',
      missing: () => needsProjects('npm') ?? needsRegistries(),
      run: async () => runTool('npm-resolution-against-npm.ts', smallestFirst(foldersOf('npm')).slice(0, installs)),
    },
    {
      ecosystem: 'maven',
      what: 'what pom.xml resolves to',
      reference: 'mvn dependency:tree',
      missing: () => needsProjects('maven') ?? needsProgram('mvn') ?? needsRegistries(),
      run: async () => runTool('maven-resolution-against-maven.ts', foldersOf('maven')),
    },
    {
      ecosystem: 'gomodules',
      what: 'edges and versions of the module graph',
      reference: 'go mod graph, go list -m all',
      missing: () => needsProjects('gomodules') ?? needsGo() ?? needsRegistries(),
      run: async () => runTool('go-resolution-against-go.ts', foldersOf('gomodules')),
    },
    {
      ecosystem: 'pip',
      what: 'what requirements resolve to',
      reference: 'pip install --report',
      missing: () => needsProjects('pip') ?? needsProgram(python) ?? needsRegistries(),
      run: async () =>
        runTool('pip-resolution-against-pip.ts', ['--python', python, ...allowed, ...requirementFiles()]),
    },
    {
      ecosystem: 'pip',
      what: 'lines of requirements files',
      reference: "pip's parser",
      missing: () => needsProjects('pip') ?? needsProgram(python),
      run: async () => runTool('pip-lines-against-pip.ts', ['--python', python, ...requirementFiles()]),
    },
    {
      ecosystem: 'gradle',
      what: 'versions below what is pinned',
      reference: 'dependencies.lock of the projects',
      missing: () => needsProjects('gradle') ?? needsRegistries(),
      run: async () => parseLockedModules(outputOf('gradle-resolution-against-locks.ts', foldersOf('gradle'))),
    },
    {
      ecosystem: 'sbt',
      what: 'what builds resolve to',
      reference: 'Coursier',
      missing: () =>
        needsProjects('sbt') ?? (coursier === undefined ? 'needs Coursier: --coursier <classpath>' : needsRegistries()),
      run: async () => runTool('sbt-resolution-against-coursier.ts', ['--classpath', coursier!, ...foldersOf('sbt')]),
    },
  ]
}

/** Each Yarn reads locks of its own generation only. */
function compareWithYarn(yarns: string, folder: string): Compared[] {
  const version = /__metadata:\s+version: (\d+)/.exec(readText(folder, 'yarn.lock'))?.[1]
  if (version === undefined) return []
  const cli = path.join(yarns, 'node_modules', `yarn-lock-${version}`, 'bin/yarn.js')
  const none = { project: path.basename(folder), files: 0, packages: 0, lines: 0, onlyOurs: [], onlyTheirs: [] }
  if (!existsSync(cli)) return [{ ...none, note: `no Yarn for version ${version} of the lock` }]
  const compared = runTool('yarn-lock-against-yarn.ts', [cli, folder])
  return compared.length > 0
    ? compared
    : [{ ...none, note: `Yarn for version ${version} of the lock fails on this Node` }]
}

function runTool(tool: string, parameters: readonly string[]): Compared[] {
  return parseTables(outputOf(tool, parameters))
}

/** By what their locks hold, which is about what an install takes. */
function smallestFirst(folders: readonly string[]): string[] {
  const sizeOf = (folder: string) =>
    filesOf(folder, /package-lock\.json$/).reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
  const sized = folders.map((folder) => ({ folder, size: sizeOf(folder) }))
  return sized.sort((a, b) => a.size - b.size).map(({ folder }) => folder)
}

/** Returns a tool's output; differences may set its exit status, a crash must not. */
export function outputOf(tool: string, parameters: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(tools, tool), ...parameters], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: LONGEST_MS,
  })
  const isCutShort = status === null || /^Node\.js v\d/m.test(stderr)
  if (isCutShort || (status !== 0 && stdout === ''))
    throw new Error(`${tool} failed: ${stderr.trim().split('\n').slice(-3).join(' / ')}`)
  return stdout
}

/**
 * Parses the tools' output: a table with the project and the columns `only ours` and `only …`, then lists `project:
 * only … (3):` with indented lines.
 */
export function parseTables(text: string): Compared[] {
  const lines = text.split('\n')
  const rows = lines
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const header = rows.find((cells) => cells.includes('only ours')) ?? []
  const at = header.indexOf('only ours')
  const [filesAt, packagesAt] = [
    columnOf(header, /^(?:files|POMs)$/),
    columnOf(header, /^(?:our )?packages$|^lines$|^ours$|^requirements$/),
  ]
  return rows.flatMap((cells) => {
    const [project = ''] = cells
    if (cells === header || cells.length !== header.length) return []
    const [onlyOurs, onlyTheirs] = [at, at + 1].map((column) =>
      listOf(lines, `${project}: ${header[column]}`, Number(cells[column])),
    )
    const packages = Number(cells[packagesAt] ?? 0)
    const isCompared = cells[at] !== ''
    const note = lines.find((line) => line.startsWith(`${project}: npm `))?.slice(project.length + 2)
    return [
      {
        project,
        files: Number(cells[filesAt] ?? 0) || 1,
        packages,
        lines: isCompared ? packages + onlyTheirs!.length : 0,
        onlyOurs: onlyOurs!,
        onlyTheirs: onlyTheirs!,
        ...(isCompared ? {} : { note: 'the reference refuses it' }),
        ...(note === undefined ? {} : { note }),
      },
    ]
  })
}

/** Modules with a lock: `name: 3 of 5 as locked; 1 only in the lock`, and a line for each that differs. */
function parseLockedModules(text: string): Compared[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const [, project = '', same = '', shared = '', absent = ''] =
      /^(.+): (\d+) of (\d+) as locked; (\d+) only in the lock$/.exec(line) ?? []
    if (project === '') return []
    const onlyTheirs = lines
      .slice(at + 1, at + 1 + Number(shared) - Number(same) + Number(absent))
      .map((each) => each.trim())
    const all = Number(shared) + Number(absent)
    return [{ project, files: 1, packages: Number(shared), lines: all, onlyOurs: [], onlyTheirs }]
  })
}

function columnOf(header: readonly string[], name: RegExp): number {
  return header.findIndex((cell) => name.test(cell))
}

/** Lists may be cut short; what is not shown counts all the same. */
function listOf(lines: readonly string[], title: string, count: number): string[] {
  const found = [...listBelow(lines, title), ...listsInLines(lines, title)].filter((line) => !line.startsWith('…'))
  return [...found, ...Array.from({ length: Math.max(0, count - found.length) }, () => '(not shown)')].slice(0, count)
}

/** `title (3):` or `title: 3`, and indented lines. */
function listBelow(lines: readonly string[], title: string): string[] {
  const start = lines.findIndex((line) => line.startsWith(title) && /(?:\(\d+\):|: \d+)$/.test(line))
  if (start === -1) return []
  const end = lines.findIndex((line, at) => at > start && !/^\s+\S/.test(line))
  return lines.slice(start + 1, end === -1 ? undefined : end).map((line) => line.trim())
}

/** `title (3): a b c`, or a line `title: a` for each. */
function listsInLines(lines: readonly string[], title: string): string[] {
  const rests = lines.filter((line) => line.startsWith(title)).map((line) => line.slice(title.length))
  return rests.flatMap((rest) => {
    const [, count, all = ''] = /^[^:]*?(\(\d+\))?: (.*\D.*)$/.exec(rest) ?? []
    return count === undefined ? (all === '' ? [] : [all]) : all.split(' ')
  })
}

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import semver from 'semver'
import { versionSchemes } from '../../src/analysis/versions/index.ts'
import type { VersionScheme } from '../../src/analysis/versions/version-scheme.ts'
import { judgeLines } from '../../test/support/manifests/version-lines.ts'
import { versionPairs, versionsWithRange } from '../../test/support/manifests/version-texts.ts'
import { corpusLacks } from '../corpus/folder.ts'
import { type Answers, type CompareSettings, type Comparison, compareAnswers, needsCommand } from './comparison.ts'

const BATCH = 50_000
const sources = path.join(import.meta.dirname, 'version-references')
const kinds = { compare: 'order of random versions', accepts: 'ranges of random versions' } as const

type Kind = keyof typeof kinds
type Question = readonly [kind: Kind, a: string, b: string]

/**
 * A reference is a program that reads lines `<kind> <a> <b>` (each in base64), prints its name first and then one answer
 * a line: `<`, `=`, `>` or `?` if it refuses a version; `1`, `0` or `!` if it refuses the range.
 */
interface Reference {
  readonly name: string
  missing(): string | undefined
  /** Prepares the program in a folder for temporary files; returns a function that asks it. */
  open(workshop: string): (questions: readonly Question[]) => readonly string[]
}

/** Version orderings, against the tools that define them and the lines in `versions` of the corpus. */
export function versionComparisons(settings: CompareSettings): Comparison[] {
  const references = referencesOf(settings)
  return Object.values(versionSchemes).flatMap((scheme) => {
    const reference = references[scheme.id]
    if (reference === undefined) return []
    const generated = (scheme.id === 'go' ? (['compare'] as const) : (['compare', 'accepts'] as const)).map((kind) => ({
      ecosystem: scheme.id,
      what: kinds[kind],
      reference: reference.name,
      missing: reference.missing,
      run: async () => [compareAnswers(`seed ${settings.seed}`, askAll(scheme, kind, { reference, settings }))],
    }))
    return [linesOf(scheme, settings), ...generated]
  })
}

function linesOf(scheme: VersionScheme, { manifests }: CompareSettings): Comparison {
  const file = `${scheme.id === 'pep440' ? 'pypi' : scheme.id}.txt`
  return {
    ecosystem: scheme.id,
    what: 'order of versions',
    reference: 'lines of osv-scalibr',
    missing: () =>
      existsSync(path.join(manifests, '../versions', file)) ? undefined : (corpusLacks('versions') ?? 'no such lines'),
    async run() {
      const text = readFileSync(path.join(manifests, '../versions', file), 'utf8')
      const { judged, mismatches } = judgeLines(scheme, text)
      return [{ project: file, files: 1, packages: 2 * judged, lines: judged, onlyOurs: [], onlyTheirs: mismatches }]
    },
  }
}

/** Pub has none: its tool is in no registry that is reachable here. */
function referencesOf({
  python,
  mavenArtifact: jar,
}: CompareSettings): Partial<Record<VersionScheme['id'], Reference>> {
  return {
    npm: { name: 'node-semver', missing: () => undefined, open: () => (questions) => questions.map(askSemver) },
    pep440: {
      name: 'packaging',
      missing: needsCommand('Python with packaging: --python', python, '-c', 'import packaging'),
      open: () => askProgram(python, path.join(sources, 'reference.py')),
    },
    rubygems: {
      name: 'RubyGems',
      missing: needsCommand('Ruby', 'ruby', '--version'),
      open: () => askProgram('ruby', path.join(sources, 'reference.rb')),
    },
    maven: {
      name: 'maven-artifact',
      missing: () => (existsSync(jar) ? undefined : 'needs maven-artifact: --maven-artifact <jar>'),
      open(workshop) {
        spawnSync('javac', ['-cp', jar, '-d', workshop, path.join(sources, 'Reference.java')], { stdio: 'inherit' })
        return askProgram('java', '-cp', `${jar}:${workshop}:/usr/share/java/commons-lang3.jar`, 'Reference')
      },
    },
    actions: { name: 'GitHub', missing: () => 'GitHub does not order tags', open: () => () => [] },
    composer: {
      name: 'composer/semver',
      missing: needsCommand('PHP', 'php', '--version'),
      open: () => askProgram('php', path.join(sources, 'reference.php')),
    },
    conan: {
      name: 'Conan',
      missing: needsCommand('Python with conan: --python', python, '-c', 'import conan'),
      open: () => askProgram(python, path.join(sources, 'reference-conan.py')),
    },
    go: {
      name: 'golang.org/x/mod/semver',
      missing: needsCommand('go', 'go', 'version'),
      open: (workshop) => askProgram(buildGoReference(workshop)),
    },
    hex: {
      name: 'Elixir',
      missing: needsCommand('Elixir', 'elixir', '--version'),
      open: () => askProgram('elixir', path.join(sources, 'reference.exs')),
    },
    nuget: {
      name: 'NuGet.Versioning',
      missing: needsCommand('a .NET SDK', 'dotnet', '--version'),
      open: (workshop) => askProgram('dotnet', buildNuGetReference(workshop)),
    },
  }
}

/** Builds with the copy of golang.org/x/mod/semver in the go distribution, so nothing is fetched. */
function buildGoReference(folder: string): string {
  const root = spawnSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).stdout.trim()
  mkdirSync(path.join(folder, 'semver'))
  copyFileSync(
    path.join(root, 'src/cmd/vendor/golang.org/x/mod/semver/semver.go'),
    path.join(folder, 'semver/semver.go'),
  )
  copyFileSync(path.join(sources, 'reference.go'), path.join(folder, 'reference.go'))
  writeFileSync(path.join(folder, 'go.mod'), 'module reference\n\ngo 1.21\n')
  const program = path.join(folder, 'reference')
  spawnSync('go', ['build', '-o', program, '.'], { cwd: folder, stdio: 'inherit' })
  return program
}

/** Builds with the copy of NuGet.Versioning in the SDK, so nothing is fetched. */
function buildNuGetReference(folder: string): string {
  const version = spawnSync('dotnet', ['--version'], { encoding: 'utf8' }).stdout.trim()
  const framework = version.startsWith('3.') ? 'netcoreapp3.1' : `net${Number.parseInt(version, 10)}.0`
  copyFileSync(path.join(sources, 'reference.cs'), path.join(folder, 'reference.cs'))
  writeFileSync(
    path.join(folder, 'reference.csproj'),
    `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>
<TargetFramework>${framework}</TargetFramework></PropertyGroup><ItemGroup><Reference Include="NuGet.Versioning">
<HintPath>$(MSBuildToolsPath)/NuGet.Versioning.dll</HintPath></Reference></ItemGroup></Project>`,
  )
  const output = path.join(folder, 'built')
  spawnSync('dotnet', ['build', '--output', output], { cwd: folder, stdio: 'inherit' })
  return path.join(output, 'reference.dll')
}

function askProgram(command: string, ...parameters: string[]) {
  return (questions: readonly Question[]): readonly string[] => {
    const toBase64 = (text: string) => Buffer.from(text).toString('base64')
    const input = `${questions.map((parts) => parts.map(toBase64).join(' ')).join('\n')}\n`
    const { status, stdout, stderr } = spawnSync(command, parameters, { input, maxBuffer: 2 ** 28, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${command} failed: ${stderr.trim().split('\n').slice(-3).join(' / ')}`)
    return stdout.trimEnd().split('\n').slice(1)
  }
}

function askSemver([kind, a, b]: Question): string {
  if (kind === 'accepts') {
    if (semver.validRange(b, true) === null) return '!'
    return semver.satisfies(a, b, true) ? '1' : '0'
  }
  if (semver.valid(a, true) === null || semver.valid(b, true) === null) return '?'
  return toSign(semver.compare(a, b, true))
}

interface Asking {
  readonly reference: Reference
  readonly settings: CompareSettings
}

function askAll(scheme: VersionScheme, kind: Kind, { reference, settings: { pairs, seed } }: Asking): Answers[] {
  const workshop = mkdtempSync(path.join(tmpdir(), 'version-references-'))
  try {
    const ask = reference.open(workshop)
    const answers: Answers[] = []
    for (let batch = 0; answers.length < pairs; batch++) {
      const numRuns = Math.min(BATCH, pairs - answers.length)
      const texts = kind === 'compare' ? versionPairs(scheme.id) : versionsWithRange(scheme.id)
      const drawn = fc.sample(texts, { seed: seed * 1_000_000 + batch, numRuns })
      const questions = drawn.map(([a, b]): Question => [kind, a, b])
      const expected = ask(questions)
      if (expected.length !== questions.length) throw new Error(`${reference.name} left questions unanswered`)
      for (const [at, question] of questions.entries())
        answers.push({ question: JSON.stringify(question), own: answer(scheme, question), expected: expected[at]! })
    }
    return answers
  } finally {
    rmSync(workshop, { recursive: true })
  }
}

function answer(scheme: VersionScheme, [kind, a, b]: Question): string {
  if (kind === 'accepts') return scheme.isRange(b) ? (scheme.satisfies(a, b) ? '1' : '0') : '!'
  if (!scheme.isValid(a) || !scheme.isValid(b)) return '?'
  return toSign(scheme.compare(a, b))
}

function toSign(difference: number): string {
  if (difference === 0) return '='
  return difference < 0 ? '<' : '>'
}

import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { findAssignments } from './dropped-settings.ts'
import { parseScala } from './scala/parser.ts'
import type { Statement } from './scala/syntax.ts'
import type { SentFile } from './scala/tokens.ts'

export interface BuildFile {
  readonly file: SentFile
  readonly statements: readonly Statement[]
  /** Lines in which a key is set that says what a project is made of. */
  readonly assigned: readonly number[]
  /** For a repository: the file's folder relative to the build's; `.` for its own. */
  readonly folder?: string
}

/** The files of a build, identified by content. */
export interface SentFiles {
  readonly target: BuildFile
  /** `build.sbt` of subfolders. */
  readonly below: readonly BuildFile[]
  /** `project/*.scala`. */
  readonly sources: readonly BuildFile[]
  /** `project/plugins.sbt` and similar files. */
  readonly plugins: readonly BuildFile[]
  readonly sbtVersion: string | undefined
  /** In the order sent. */
  readonly names: readonly string[]
}

const MAX_CHARACTERS = 20_000_000

/** Identifies and parses the files. */
export function readSentFiles(manifest: Manifest): SentFiles {
  identifyFiles('sbt', manifest)
  const { target, additional, places } = manifest
  const names = ['build.sbt']
  const below: BuildFile[] = []
  const sources: BuildFile[] = []
  const plugins: BuildFile[] = []
  let sbtVersion: string | undefined
  for (const [file, text] of additional.entries()) {
    const version = /^[ \t]*sbt\.version[ \t]*[=:][ \t]*(\S{1,100})/m.exec(text.slice(0, 20_000))?.[1]
    if (version !== undefined) {
      sbtVersion = version
      names.push('build.properties')
      continue
    }
    const parsed = parse(text, file)
    const { statements } = parsed
    const path = places?.additional[file]
    const [list, name] = {
      plugins: [plugins, 'plugins.sbt'],
      sources: [sources, 'a source of the build'],
      below: [below, 'build.sbt'],
    }[path === undefined ? kindOf(statements) : kindAt(path)] as [BuildFile[], string]
    list.push({ ...parsed, ...(path === undefined ? {} : { folder: path.replace(/\/?[^/]*$/, '') || '.' }) })
    names.push(`${name} (additional file ${file + 1})`)
  }
  return { target: parse(target, 'target'), below, sources, plugins, sbtVersion, names }
}

type Kind = 'plugins' | 'sources' | 'below'

function kindOf(statements: readonly Statement[]): Kind {
  if (statements.some(addsPlugin)) return 'plugins'
  return statements.every(isDefinition) ? 'sources' : 'below'
}

function kindAt(path: string): Kind {
  if (path.endsWith('.scala')) return 'sources'
  return /^project\//.test(path) ? 'plugins' : 'below'
}

function parse(text: string, file: SentFile): BuildFile {
  if (text.length > MAX_CHARACTERS)
    throw new Unreadable(`The file exceeds the limit of ${MAX_CHARACTERS} characters`, { file })
  return { file, statements: parseScala(text, file), assigned: findAssignments(text, file) }
}

function isDefinition({ kind }: Statement): boolean {
  return kind !== 'expression' && kind !== 'val' && kind !== 'def'
}

/** `addSbtPlugin(…)`, and `libraryDependencies += Defaults.sbtPluginExtra(…)`, which is the same. */
function addsPlugin(statement: Statement): boolean {
  if (statement.kind !== 'expression') return false
  const { value } = statement
  const added = value.kind === 'infix' ? value.right : value
  if (added.kind !== 'apply') return false
  const { to } = added
  return to.kind === 'select' ? to.name === 'sbtPluginExtra' : to.kind === 'name' && to.name === 'addSbtPlugin'
}

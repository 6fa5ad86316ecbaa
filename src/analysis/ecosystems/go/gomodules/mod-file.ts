import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { GoModule, GoRequirement, GoRetraction } from '#analysis/registries/go.ts'
import { goVersions } from '#analysis/versions/go.ts'
import { type Directive, parseDirectives } from './directives.ts'

/** A `require` of the project. */
export interface Requirement extends GoRequirement {
  /** True for `// indirect`: no package of the project imports the module itself. */
  readonly isIndirect: boolean
  readonly line: number
}

/** A `replace`: of every version if `version` is undefined; by a folder if `by.version` is undefined. */
export interface Replacement {
  readonly path: string
  readonly version: string | undefined
  readonly by: { readonly path: string; readonly version: string | undefined }
  readonly line: number
}

/** An unknown directive. */
export interface UnreadDirective {
  readonly text: string
  readonly line: number
}

/** A `go` or `toolchain` line, by the version that it names. */
export interface GoVersionLine {
  readonly directive: 'go' | 'toolchain'
  readonly version: string
  readonly file: 'target' | number
  readonly line: number
}

/** The go.mod of a project, or its go.work. */
export interface ModFile {
  readonly path: string
  readonly go?: string
  readonly versionLines: readonly GoVersionLine[]
  readonly requires: readonly Requirement[]
  readonly replaces: readonly Replacement[]
  readonly excludes: readonly GoRequirement[]
  /** Folders of a go.work. */
  readonly uses: readonly string[]
  readonly unread: readonly UnreadDirective[]
}

/** Directives without effect on the required modules. */
const WITHOUT_EFFECT = new Set(['godebug', 'tool', 'ignore', 'retract'])

/** Parses the go.mod or go.work of a project (https://go.dev/ref/mod#go-mod-file). */
export function parseModFile(text: string, file: 'target' | number = 'target'): ModFile {
  const directives = parseDirectives(text, file)
  const unread: UnreadDirective[] = []
  const of = <T>(verb: string, read: (directive: Directive) => T | undefined): T[] =>
    directives
      .filter((directive) => directive.verb === verb)
      .flatMap((directive) => {
        const value = read(directive)
        if (value !== undefined) return [value]
        throw new Unreadable(`Invalid "${verb}": ${shorten(directive.values.join(' '))}`, {
          file,
          line: directive.line,
        })
      })
  const content = {
    path: of('module', ({ values }) => values[0])[0] ?? '',
    requires: of('require', toRequirement),
    replaces: of('replace', toReplacement),
    excludes: of('exclude', toPlainRequirement),
    uses: of('use', ({ values }) => (values.length === 1 ? values[0] : undefined)),
  }
  const verbs = new Set(['module', 'go', 'toolchain', 'require', 'replace', 'exclude', 'use', ...WITHOUT_EFFECT])
  for (const { verb, values, line } of directives) {
    if (!verbs.has(verb)) unread.push({ text: shorten([verb, ...values].join(' ')), line })
  }
  const [go] = of('go', ({ values: [version] }) => toGoVersion(version))
  const versionLines = directives.flatMap((directive) => toVersionLine(directive, file) ?? [])
  return { ...content, ...(go !== undefined && { go }), versionLines, unread }
}

/** Returns nothing for `toolchain default`, which leaves the choice to the `go` line. */
function toVersionLine({ verb, values: [text = ''], line }: Directive, file: 'target' | number) {
  if (verb !== 'go' && verb !== 'toolchain') return undefined
  const version = verb === 'go' ? toGoVersion(text) : /^go(?=\d)(.*)/.exec(text)?.[1]
  if (version === undefined || !GO_VERSION.test(version)) return undefined
  return { directive: verb, version, file, line } as const
}

/** Parses the go.mod of a dependency as leniently as the go command: only what affects its dependents. */
export function parseDependency(text: string): GoModule {
  const directives = parseDirectives(text)
  const of = (verb: string) => directives.filter((directive) => directive.verb === verb)
  const go = toGoVersion(of('go')[0]?.values[0])
  const requires = of('require').map((directive) => {
    const requirement = toPlainRequirement(directive)
    if (requirement === undefined) throw new Unreadable(`Invalid require: ${shorten(directive.values.join(' '))}`)
    return requirement
  })
  return {
    path: of('module')[0]?.values[0] ?? '',
    ...(go !== undefined && { go }),
    requires,
    retracts: of('retract').flatMap(({ values }) => toRetraction(values) ?? []),
  }
}

function toRequirement(directive: Directive): Requirement | undefined {
  const module = toPath(directive)
  if (module === undefined) return undefined
  const isIndirect = /^indirect(?:$|\s*;)/.test(directive.comment)
  return { ...module, isIndirect, line: directive.line }
}

/** Parses a path and a version, which is canonical or which only the project itself can resolve: a branch, a query. */
function toPath({ values: [path, version, ...more] }: Directive): GoRequirement | undefined {
  if (path === undefined || version === undefined || more.length > 0 || !isPath(path)) return undefined
  return { path, version: toCanonical(version) ?? version }
}

function toPlainRequirement(directive: Directive): GoRequirement | undefined {
  const module = toPath(directive)
  return module !== undefined && toCanonical(module.version) !== undefined ? module : undefined
}

function toReplacement({ values, line }: Directive): Replacement | undefined {
  const arrow = values.indexOf('=>')
  const [path, version, ...more] = values.slice(0, arrow)
  const [newPath, newVersion, ...others] = values.slice(arrow + 1)
  const isWhole = arrow > 0 && path !== undefined && newPath !== undefined && more.length === 0 && others.length === 0
  if (!isWhole || (newVersion === undefined && !isFolder(newPath))) return undefined
  const canonical = (text: string | undefined) => (text === undefined ? undefined : (toCanonical(text) ?? text))
  return { path, version: canonical(version), by: { path: newPath, version: canonical(newVersion) }, line }
}

/** Returns true for a folder, which the go command distinguishes from a module path by its beginning. */
export function isFolder(path: string): boolean {
  return /^(?:\.{0,2}\/|\.{1,2}$|\.{0,2}\\|[A-Za-z]:)/.test(path)
}

function toRetraction(values: readonly string[]): GoRetraction | undefined {
  const versions = values.filter((token) => !/^[[\],]$/.test(token))
  const [low, high = low] = versions
  if (low === undefined || high === undefined || versions.length > 2) return undefined
  return { low, high }
}

function isPath(path: string): boolean {
  return path.length <= 1_000 && path !== ''
}

const PLAIN_VERSION = /^v(?:0|[1-9]\d{0,9})(?:\.(?:0|[1-9]\d{0,9})){2}$/

/** Returns the version as the go command writes it: with three numbers, without build metadata but `+incompatible`. */
export function toCanonical(version: string): string | undefined {
  if (PLAIN_VERSION.test(version)) return version
  if (version.length > 256 || !version.startsWith('v') || !goVersions.isValid(version)) return undefined
  const [before = '', build] = version.split('+')
  const missing = 2 - (before.split('-')[0]!.match(/\./g)?.length ?? 0)
  return `${before}${'.0'.repeat(missing)}${build === 'incompatible' ? '+incompatible' : ''}`
}

const GO_VERSION = /^(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?(?:(rc|beta|alpha)(\d{1,4}))?(?:-\S{0,100})?$/

/** Returns a Go version; of an invalid one, its first two numbers, as the go command does for dependencies. */
function toGoVersion(text: string | undefined): string | undefined {
  if (text === undefined || GO_VERSION.test(text)) return text
  return /^v?(\d{1,4}\.\d{1,4})(?!\d)/.exec(text)?.[1]
}

/** Returns true from Go 1.17 on, where go.mod lists every module that the build needs. */
export function listsEverything(go: string | undefined): boolean {
  const [, major = '1', minor = '16'] = GO_VERSION.exec(go ?? '') ?? []
  return Number(major) > 1 || Number(minor) >= 17
}

/** Returns the line that decides which Go builds the project: the one with the highest version (go.dev/doc/toolchain). */
export function findBuildingGo(files: readonly ModFile[]): GoVersionLine | undefined {
  const lines = files.flatMap(({ versionLines }) => versionLines)
  return lines.toSorted((a, b) => goVersions.compare(toReleaseOfGo(b.version), toReleaseOfGo(a.version)))[0]
}

/** Returns a version of Go as advisories write it: `1.21rc2` is `1.21.0-rc.2`. */
export function toReleaseOfGo(go: string): string {
  const [, major = '0', minor = '0', patch, word, number] = GO_VERSION.exec(go) ?? []
  if (word !== undefined) return `${major}.${minor}.${patch ?? 0}-${word}.${number}`
  return [major, minor, ...(patch === undefined ? [] : [patch])].join('.')
}

import { type JsonMember, membersIn, membersOf, textOfMember } from '#analysis/documents/json-members.ts'
import { withoutComments } from '#analysis/documents/lenient-json.ts'
import { createLines, type Declaration, type WrittenRange } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'
import { JSON_LOCK } from './pnpm-json-lock.ts'

const SECTIONS = ['devDependencies', 'optionalDependencies', 'dependencies', 'peerDependencies']

/** Finds the direct dependencies in a lockfile. */
export type LocateInLock = (text: string, file: 'target' | number) => Declaration[]

interface Lock {
  readonly name: string
  /** Returns true for the lockfile, in contrast to a package.json. */
  isLock(text: string): boolean
  readonly locate: LocateInLock
}

/** Finds the declarations of package.json files; without such a file, the entries of the lockfile. */
export function locateInProject({ target, additional }: Manifest, lock: Lock): Declaration[] {
  const files = [target, ...additional].map((text, at) => ({ text, file: at === 0 ? ('target' as const) : at - 1 }))
  const manifests = files.filter(({ text }) => isJson(text) && !lock.isLock(text))
  if (manifests.length > 0) {
    return manifests.flatMap(({ text, file }, at) =>
      locateInPackageJson(text, file).map((declaration) =>
        at === 0 ? { ...declaration, fileName: 'package.json' } : declaration,
      ),
    )
  }
  return files
    .filter(({ text }) => lock.isLock(text))
    .flatMap(({ text, file }) =>
      lock.locate(text, file).map((declaration) => ({ ...declaration, fileName: lock.name })),
    )
}

const isJson = (text: string) => /^\uFEFF?\s*\{/.test(text)
const HEAD_CHARACTERS = 5_000
const headOf = (text: string) => text.slice(0, HEAD_CHARACTERS)

export const packageLock: Lock = {
  name: 'package-lock.json',
  isLock: (text) => isJson(text) && /"lockfileVersion"\s*:/.test(headOf(text)),
  locate(text, file) {
    const root = locateSections(text, file, membersOf(text, ['packages', '']))
    return root.length > 0 ? root : locateSections(text, file, membersOf(text, []))
  },
}

export const bunLock: Lock = {
  name: 'bun.lock',
  isLock: (text) => packageLock.isLock(withoutComments(text)),
  locate(written, file) {
    const text = withoutComments(written)
    return locateSections(text, file, membersOf(text, ['workspaces', '']))
  },
}

export const yarnLock: Lock = {
  name: 'yarn.lock',
  isLock: (text) => !isJson(text) && /^(?:# yarn lockfile|__metadata:)/m.test(headOf(text)),
  locate: locateInYarnLock,
}

export const pnpmLock: Lock = {
  name: 'pnpm-lock.yaml',
  isLock: (text) => (isJson(text) ? JSON_LOCK.test(text) : /^\uFEFF?(?:---\s+)?lockfileVersion:/m.test(headOf(text))),
  locate: (text, file) => (isJson(text) ? locateInJsonPnpmLock(text, file) : locateInPnpmLock(text, file)),
}

function locateInPackageJson(text: string, file: 'target' | number): Declaration[] {
  return locateSections(text, file, membersOf(text, []))
}

/**
 * Lists the members of all sections. The last of equal keys counts, as in `JSON.parse`. For a peer that is also a
 * dependency, the dependency counts.
 */
function locateSections(text: string, file: 'target' | number, root: readonly JsonMember[]): Declaration[] {
  const lineOf = createLines(text)
  const declarations: Declaration[] = []
  const names = new Set<string>()
  for (const section of SECTIONS) {
    const object = root.findLast(({ key }) => key === section)
    if (object === undefined) continue
    const last = new Map(membersIn(text, object).map((member) => [member.key, member]))
    for (const member of last.values()) {
      const declaration = toDeclaration(text, member, { file, lineOf })
      if (section !== 'peerDependencies' || !names.has(declaration.name)) declarations.push(declaration)
      names.add(declaration.name)
    }
  }
  return declarations
}

function toDeclaration(
  text: string,
  member: JsonMember,
  { file, lineOf }: { file: 'target' | number; lineOf: (offset: number) => number },
): Declaration {
  const range = textOfMember(text, member)
  const alias = range === undefined ? undefined : aliasOf(range.text)
  const plain = range !== undefined && isRangeOfYarn(range.text) ? withoutProtocol(range) : range
  return {
    name: alias?.name ?? member.key,
    file,
    line: lineOf(member.at),
    ...(plain !== undefined && {
      range: alias === undefined ? plain : { ...plain, text: alias.range, start: plain.end - alias.range.length },
    }),
  }
}

function withoutProtocol({ text, start, end }: WrittenRange): WrittenRange {
  return { text: text.slice('npm:'.length), start: start + 'npm:'.length, end }
}

/** Reads `npm:name@range`, the name of another package; in Yarn, `npm:range` is a range of the same. */
function aliasOf(text: string): { name: string; range: string } | undefined {
  if (!text.startsWith('npm:') || isRangeOfYarn(text)) return undefined
  const at = text.indexOf('@', 'npm:'.length + 1)
  return at < 0
    ? { name: text.slice('npm:'.length), range: '' }
    : { name: text.slice('npm:'.length, at), range: text.slice(at + 1) }
}

const isRangeOfYarn = (text: string) => /^npm:\s*(?:[\^~<>=*]|v?\d+(?:[\s.|]|$))/.test(text)

/** Reads the entries of a lockfile without its package.json: `a@^1, a@^1.2:` with a version below. */
function locateInYarnLock(text: string, file: 'target' | number): Declaration[] {
  const declarations: Declaration[] = []
  let open: { names: ReadonlySet<string>; line: number } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[^\s#].*:\s*$/.test(line)) {
      const specs = line.replace(/:\s*$/, '').replaceAll('"', '').split(/,\s*/)
      open = { names: new Set(specs.map(nameOfSpec)), line: index + 1 }
      continue
    }
    const version = /^ {2}version:? "?([^"\s]+)"?\s*$/.exec(line)?.[1]
    if (version === undefined || open === undefined) continue
    for (const name of open.names) declarations.push({ name, version, file, line: open.line })
    open = undefined
  }
  return declarations
}

function nameOfSpec(spec: string): string {
  const at = spec.indexOf('@', 1)
  if (at < 0) return spec
  return aliasOf(spec.slice(at + 1).replace(/^(npm:[^@]*)$/, ''))?.name ?? spec.slice(0, at)
}

/** Reads the projects of a lock of version 13. */
function locateInJsonPnpmLock(text: string, file: 'target' | number): Declaration[] {
  const projects = membersOf(text, ['projects'])
  return projects.flatMap(({ key }) => locateSections(text, file, membersOf(text, ['projects', key])))
}

/** Reads the importers, or the members at the top of a lockfile of one project. */
function locateInPnpmLock(text: string, file: 'target' | number): Declaration[] {
  const declarations: Declaration[] = []
  const path: { indent: number; key: string }[] = []
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const [, indent, single, double, plain] = /^( *)(?:'([^']+)'|"([^"]+)"|([^\s'"#][^:]*)):(?:\s|$)/.exec(line) ?? []
    const key = single ?? double ?? plain
    if (indent === undefined || key === undefined) continue
    while (path.length > 0 && path.at(-1)!.indent >= indent.length) path.pop()
    const section = path.at(-1)?.key ?? ''
    const isDirect = (path.length === 3 && path[0]!.key === 'importers') || path.length === 1
    if (isDirect && SECTIONS.includes(section)) declarations.push({ name: key, file, line: index + 1 })
    path.push({ indent: indent.length, key })
  }
  return declarations
}

import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { linesOf } from '#analysis/documents/text-lines.ts'
import type { Declaration, WrittenRange } from '../../declaration.ts'
import type { Manifest } from '../../ecosystem.ts'

/** A declaration in the block style of YAML. */
interface PubDeclaration {
  readonly section: string
  readonly name: string
  /** Counted from 1. */
  readonly line: number
  readonly range?: WrittenRange
}

const SECTION = /^(dependencies|dev_dependencies|dependency_overrides):\s*(?:#.*)?$/
const ENTRY = /^(\s+)(["']?)(\w+)\2\s*:(?:\s+(.*))?$/
const VALUE = /^(?:"([^"\\]*)"|'([^']*)'|([^\s"'{[&*!|>#][^#]*?|[<>]=?[^#]*?))\s*(?:#.*)?$/

/** Finds the declarations of pubspecs and, after them, the entries of the lockfile. */
export function locatePub(manifest: Manifest): Declaration[] {
  const files = identifyFiles('pub', manifest)
  const manifests = files.filter(({ kind }) => kind !== 'pubspec.lock')
  const locks = files.filter(({ kind }) => kind === 'pubspec.lock')
  return [
    ...manifests.flatMap(({ text, file, kind }) =>
      locateDeclarations(text).map(({ name, line, range }) => ({
        name,
        line,
        file,
        fileName: kind,
        ...(range && { range }),
      })),
    ),
    ...locks.flatMap(({ text, file, kind }) => locateInLock(text, file).map((one) => ({ ...one, fileName: kind }))),
  ]
}

/** Finds the dependencies of a pubspec by its lines; the range may be in a `version` below the name. */
export function locateDeclarations(text: string): PubDeclaration[] {
  const declarations: PubDeclaration[] = []
  let section = ''
  let indent = 0
  let offset = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (const [at, line] of linesOf(text, 'target').entries()) {
    const start = offset
    offset += line.length + 1
    const isTop = /^[^\s#]/.test(line)
    if (isTop) section = SECTION.exec(line.trimEnd())?.[1] ?? ''
    const [match, spaces = '', , name = '', value = ''] = ENTRY.exec(line.trimEnd()) ?? []
    if (section === '' || isTop || match === undefined) continue
    const last = declarations.at(-1)
    if (last?.section !== section) indent = spaces.length
    const range = toRange(line, start, value)
    if (spaces.length === indent) declarations.push({ section, name, line: at + 1, ...(range && { range }) })
    else if (name === 'version' && last !== undefined && range !== undefined) {
      declarations[declarations.length - 1] = { ...last, range }
    }
  }
  return declarations
}

function toRange(line: string, start: number, value: string): WrittenRange | undefined {
  const [match, double, single, plain] = VALUE.exec(value) ?? []
  const text = double ?? single ?? plain
  if (match === undefined || text === undefined || text === '') return undefined
  const from = start + line.lastIndexOf(value) + (plain === undefined ? 1 : 0)
  return { text, start: from, end: from + text.length }
}

function locateInLock(text: string, file: Declaration['file']): Declaration[] {
  return linesOf(text, file).flatMap((line, at) => {
    const name = /^ {2}(\w+):\s*$/.exec(line)?.[1]
    return name === undefined ? [] : [{ name, line: at + 1, file }]
  })
}

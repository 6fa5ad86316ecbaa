import { membersOf } from '#analysis/documents/json-members.ts'
import { placesOf, type TomlPlace, textOfPlace } from '#analysis/documents/toml-values.ts'
import { createLines, type Declaration } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'
import { toProjectName } from './packaging/project-name.ts'
import { readWrittenRequirement } from './packaging/written-requirement.ts'

type File = Declaration['file']

/** Finds the dependencies of pyproject.toml, Pipfile and pylock.toml and, after them, the entries of lockfiles. */
export function locateInPythonFiles({ target, additional }: Manifest): Declaration[] {
  const files = [target, ...additional].map((text, at) => ({ text, file: at === 0 ? ('target' as const) : at - 1 }))
  const isLock = ({ text }: { readonly text: string }) => /^\uFEFF?\s*\{/.test(text) || LOCK_TABLE.test(text)
  return [
    ...files.filter((file) => !isLock(file)).flatMap(({ text, file }) => locateInManifest(text, file)),
    ...files.filter(isLock).flatMap(({ text, file }) => locateInLock(text, file)),
  ]
}

const LOCK_TABLE = /^\[\[packages?\]\]/m

function locateInManifest(text: string, file: File): Declaration[] {
  const places = placesOf(text)
  const isPipfile = !places.some(({ path: [first] }) => first === 'project' || first === 'tool')
  const fileName = isPipfile ? 'Pipfile' : 'pyproject.toml'
  const lineOf = createLines(text)
  return places.flatMap((place): Declaration[] => {
    const declaration = isPipfile ? readPipfilePlace(text, place) : readPyprojectPlace(text, place)
    return declaration === undefined ? [] : [{ ...declaration, file, fileName, line: lineOf(place.at) }]
  })
}

type Found = Pick<Declaration, 'name' | 'range'>

const LISTS = [
  /^project dependencies \d+$/,
  /^(?:project optional-dependencies|dependency-groups) \S+ \d+$/,
  /^tool uv dev-dependencies \d+$/,
]
const POETRY_TABLE = /^tool poetry (?:dev-)?dependencies |^tool poetry group \S+ dependencies /

function readPyprojectPlace(text: string, place: TomlPlace): Found | undefined {
  const key = place.path.map((segment) => segment.replaceAll(' ', '_')).join(' ')
  const table = POETRY_TABLE.exec(key)
  if (table !== null) return readTableItem(text, place, table[0].trim().split(' ').length)
  if (!LISTS.some((list) => list.test(key))) return undefined
  const written = textOfPlace(text, place)
  return written && readWrittenRequirement(written.text, written.start)
}

function readPipfilePlace(text: string, place: TomlPlace): Found | undefined {
  const [table = ''] = place.path
  return ['source', 'requires', 'scripts', 'pipenv'].includes(table) ? undefined : readTableItem(text, place, 1)
}

/** Reads `name = "range"`, `name = { version = "range" }` and lists of such tables; others have no range. */
function readTableItem(text: string, place: TomlPlace, depth: number): Found | undefined {
  const name = place.path[depth]
  const rest = place.path.slice(depth + 1).filter((key) => !/^\d+$/.test(key))
  if (name === undefined || name === 'python') return undefined
  const isRange = rest.length === 0 || rest.join() === 'version'
  const range = isRange ? textOfPlace(text, place) : undefined
  return { name: toProjectName(name), ...(range !== undefined && { range }) }
}

function locateInLock(text: string, file: File): Declaration[] {
  const lineOf = createLines(text)
  if (/^\uFEFF?\s*\{/.test(text)) {
    return ['default', 'develop'].flatMap((section) =>
      membersOf(text, [section]).map(({ key, at }) => ({
        name: toProjectName(key),
        file,
        fileName: 'Pipfile.lock',
        line: lineOf(at),
      })),
    )
  }
  const fileName = /^\[\[packages\]\]/m.test(text)
    ? 'pylock.toml'
    : /^source = /m.test(text)
      ? 'uv.lock'
      : 'poetry.lock'
  return [...text.matchAll(LOCK_ENTRY)].flatMap(({ 0: entry, index }): Declaration[] => {
    const name = /^name = "([^"]+)"/m.exec(entry)
    const version = /^version = "([^"]+)"/m.exec(entry)?.[1]
    if (name === null) return []
    const declaration = { name: toProjectName(name[1]!), file, fileName, line: lineOf(index + name.index) }
    return [version === undefined ? declaration : { ...declaration, version }]
  })
}

/** The tools write the members of an entry at the margin, up to the next table. */
const LOCK_ENTRY = /^\[\[packages?\]\]\s*\n(?:(?!\[)[^\n]*\n?)*/gm

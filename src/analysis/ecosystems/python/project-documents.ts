import type { TomlTable } from 'smol-toml'
import type { ReadableKind } from '#analysis/discovery/file-kinds/file-kind.ts'
import { type IdentifiedFile, identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { kindsOf, type ReadingEcosystem } from '#analysis/discovery/file-kinds/read-kinds.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest } from '../ecosystem.ts'
import { chooseDeclaredPython, type DeclaredPython, readDeclaredPython } from './packaging/python-of-files.ts'
import { ownPath } from './requirements/file-path.ts'

/** The sent files of a project by kind. */
export interface SentKinds {
  /** Returns the only file of a kind. Throws `Unreadable` for a second one. */
  only(kind: ReadableKind): IdentifiedFile | undefined
  /** Returns every file of a kind. */
  all(kind: ReadableKind): readonly IdentifiedFile[]
  /** The Python that a file declares, with the names of all files read. */
  readonly declared: DeclaredPython | undefined
  readonly filesRead: readonly string[]
}

/** Identifies the files of a project; those that only declare a Python (`.python-version`) are known by their names. */
export function sortFiles(ecosystem: ReadingEcosystem, manifest: Manifest): SentKinds {
  const { additional, places } = manifest
  const pathOf = (file: number) => places?.additional[file] ?? ownPath(additional[file]!)
  const pythons = additional.map((content, file) => pythonOf(pathOf(file), content))
  const files = identifyFiles(
    ecosystem,
    manifest,
    (file) => pythons[file] !== undefined && !isOwnManifest(pathOf(file)!, { ecosystem, places }),
  )
  const beside = files.flatMap(({ kind, text }) => readDeclaredPython(kind, text) ?? [])
  const declared = chooseDeclaredPython([...pythons.filter((python) => python !== undefined), ...beside])
  const names = files.map(
    ({ file, kind }) => nameOf(file === 'target' ? places?.target : places?.additional[file]) ?? kind,
  )
  const isNamed = declared === undefined || files.some(({ kind }) => kind === declared.path)
  return {
    only(kind) {
      const [first, second] = files.filter((file) => file.kind === kind)
      if (second !== undefined) throw new Unreadable(`Two files of the kind ${kind} were sent`, { file: second.file })
      return first
    },
    all: (kind) => files.filter((file) => file.kind === kind),
    declared,
    filesRead: isNamed ? names : [...names, `${declared.path} (Python ${shorten(declared.text)})`],
  }
}

interface OwnFiles {
  readonly ecosystem: ReadingEcosystem
  readonly places: Manifest['places'] | undefined
}

/** Returns true for files of the project that declare dependencies too, if the ecosystem reads them. */
function isOwnManifest(path: string, { ecosystem, places }: OwnFiles): boolean {
  const name = nameOf(path)
  const isRead = kindsOf(ecosystem).additional.some((kind) => kind === name)
  const isInside = !path.startsWith('../') || places?.member !== undefined
  return isInside && isRead && (name === 'pyproject.toml' || name === 'Pipfile')
}

function pythonOf(path: string | undefined, content: string): DeclaredPython | undefined {
  return path === undefined ? undefined : readDeclaredPython(path, content)
}

function nameOf(path: string | undefined): string | undefined {
  return path?.slice(path.lastIndexOf('/') + 1)
}

/** Parses a manifest in TOML. */
export function documentOf({ text, file }: IdentifiedFile): TomlTable {
  return parseToml(text, file)
}

import type { Unresolved } from '#analysis/dependency-graph.ts'
import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { chooseDeclaredPython, type DeclaredPython, readDeclaredPython } from '../packaging/python-of-files.ts'
import { ownPath } from './file-path.ts'
import {
  type GivenOption,
  type IncludePosition,
  type LocatedRequirement,
  type SentFile,
  targetName,
  type Walk,
  walkFiles,
} from './walk-files.ts'

export interface ProjectFiles {
  readonly requirements: readonly LocatedRequirement[]
  readonly constraints: readonly LocatedRequirement[]
  readonly options: readonly GivenOption[]
  /** Lines and files that could not be read. */
  readonly unresolved: readonly Unresolved[]
  readonly filesRead: readonly string[]
  /** Indexes of the additional files that were read, by the names used here. */
  readonly fileNumbers: ReadonlyMap<string, number>
  /** True if every requirements list states that a tool generated it, with all that is needed. */
  readonly isGenerated: boolean
  /** The Python named by a file beside the requirements. */
  readonly declared: DeclaredPython | undefined
}

/**
 * Reads all files of a project, one included by another, as pip does. File names are not sent: a file is identified by
 * a comment in its first line (`# file: requirements/base.txt`), else by the order of first references, if as many were
 * sent as are referenced. If fewer were sent and all are requirements lists, their identity does not matter. Otherwise
 * none is read, so that no file is mistaken for another; unread files are reported.
 */
export function readProjectFiles(manifest: Manifest, maxLines: number): ProjectFiles {
  const { target, additional, places } = manifest
  const sent = additional.map(
    (content, index): SentFile => ({ content, path: places?.additional[index] ?? ownPath(content) }),
  )
  identifyFiles('pip', manifest, (file) => pythonOf(sent[file]!) !== undefined)
  const walk = walkFiles({ target, sent, maxLines, assigns: 'in-order' })
  const inOrder = [...walk.places.values()].filter(({ path, file }) => file !== undefined && sent[file]!.path !== path)
  const missing = [...walk.places.values()].filter(({ file }) => file === undefined)
  const isSurplus = inOrder.length < sent.filter(({ path }) => path === undefined).length
  const unnamed = [...inOrder, ...missing]
  if (inOrder.length === 0 || (missing.length === 0 && !isSurplus)) {
    return toProject(walk, [...missing.map(toMissing), ...unusedOf(walk)])
  }
  if (!isSurplus && unnamed.every(({ reference }) => reference.kind === 'requirements')) {
    const names = unnamed.map(({ path }) => path).join(', ')
    const reason = `${missing.length} of these ${unnamed.length} files ${missing.length === 1 ? 'was' : 'were'} not sent`
    return withoutNames(toProject(walk, [{ ...toMissing(missing[0]!), name: names, reason }]), inOrder)
  }
  const again = walkFiles({ target, sent, maxLines, assigns: 'by-name' })
  const open = [...again.places.values()].filter(({ file }) => file === undefined)
  const reason = 'It cannot be told which of the sent files this is: begin each with "# file: <its path>"'
  return toProject(
    again,
    open.map((place) => ({ ...toMissing(place), reason })),
  )
}

function toProject(
  { sent, requirements, constraints, options, isGenerated, places, unresolved }: Walk,
  more: readonly Unresolved[],
): ProjectFiles {
  const declared = chooseDeclaredPython(sent.flatMap((file) => pythonOf(file) ?? []))
  const read = [...places.values()].filter(({ file }) => file !== undefined)
  return {
    requirements,
    constraints,
    options,
    isGenerated,
    unresolved: [...unresolved, ...more],
    filesRead: [
      targetName,
      ...read.map(({ path }) => path),
      ...(declared === undefined ? [] : [`${declared.path} (Python ${shorten(declared.text)})`]),
    ],
    fileNumbers: new Map(read.map(({ path, file }) => [path, file!])),
    declared,
  }
}

function toMissing({ reference, path, from }: IncludePosition): Unresolved {
  const requiredBy = from ?? targetName
  const entry = {
    name: path,
    range: '',
    code: 'not-static',
    reason: 'The file was not sent',
    requiredBy,
    line: reference.line,
  } as const
  return from === undefined ? entry : { ...entry, file: from }
}

function pythonOf({ path, content }: SentFile): DeclaredPython | undefined {
  return path === undefined ? undefined : readDeclaredPython(path, content)
}

function unusedOf({ places, sent }: Walk): Unresolved[] {
  const used = new Set([...places.values()].map(({ file }) => file))
  const reason = 'No line refers to this file, so it was not read'
  return sent.flatMap((file, index): Unresolved[] =>
    used.has(index) || pythonOf(file) !== undefined
      ? []
      : [{ name: `additional file ${index + 1}`, range: '', code: 'not-static', reason, requiredBy: targetName }],
  )
}

/** Labels files by their position in the request if their identity is unknown. */
function withoutNames(project: ProjectFiles, inOrder: readonly IncludePosition[]): ProjectFiles {
  const names = new Map(inOrder.map(({ path, file }) => [path, `additional file ${file! + 1}`]))
  const plain = (name: string) => names.get(name) ?? name
  const inFile = <T extends { readonly file?: string | undefined }>(entry: T): T =>
    entry.file === undefined ? entry : { ...entry, file: plain(entry.file) }
  return {
    ...project,
    requirements: project.requirements.map(inFile),
    constraints: project.constraints.map(inFile),
    options: project.options.map(inFile),
    unresolved: project.unresolved.map((unresolved) =>
      inFile({ ...unresolved, requiredBy: plain(unresolved.requiredBy) }),
    ),
    filesRead: project.filesRead.map(plain),
    fileNumbers: new Map([...project.fileNumbers].map(([name, file]) => [plain(name), file])),
  }
}

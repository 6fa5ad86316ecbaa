import type { IdentifiedFile } from '../../file-kinds/identify-files.ts'
import { Unreadable } from '../ecosystem.ts'
import { type JsonObject, ownValue } from './json-document.ts'
import { type PackageJson, workspacePatterns } from './package-json.ts'

/** The package.json files of a project and its lockfile. */
export interface SortedFiles<Lock> {
  /** The project's package.json; undefined if only a lockfile was sent. */
  readonly project: PackageJson | undefined
  readonly members: readonly PackageJson[]
  readonly lock: Lock | undefined
  readonly filesRead: string[]
  /** The place of each package.json among the sent files. */
  readonly files: ReadonlyMap<PackageJson, 'target' | number>
  /** The project's package.json before its conversion. */
  readonly root: { readonly file: 'target' | number; readonly content: JsonObject } | undefined
}

/** The differences between tools. */
interface Tool<Lock> {
  readonly lockKind: IdentifiedFile['kind']
  /** The refusal of a second lockfile. */
  readonly secondLock: string
  readLock(file: IdentifiedFile): Lock
  labelOf(lock: Lock): string
  toProject(content: JsonObject, file: 'target' | number): PackageJson
}

/**
 * Sorts package.json files and one lockfile. The target is the project's package.json or the lockfile. Every other
 * package.json is a workspace member, except that with a lockfile as target the first (or the one with `workspaces`) is
 * the project. Other kinds only appear in `filesRead`.
 */
export function sortFilesOf<Lock>(files: readonly IdentifiedFile[], tool: Tool<Lock>): SortedFiles<Lock> {
  const [lockFile, second] = files.filter(({ kind }) => kind === tool.lockKind)
  if (second !== undefined) throw new Unreadable(tool.secondLock, { file: second.file })
  const manifests = files.filter(({ kind }) => kind === 'package.json')
  const contents = new Map(manifests.map((each) => [each, each.json()]))
  const hasWorkspaces = (each: IdentifiedFile) =>
    workspacePatterns(ownValue(contents.get(each)!, 'workspaces')).length > 0
  const root = manifests.find(({ file }) => file === 'target') ?? manifests.find(hasWorkspaces) ?? manifests[0]
  const lock = lockFile === undefined ? undefined : tool.readLock(lockFile)
  const packages = new Map(manifests.map((each) => [each, tool.toProject(contents.get(each)!, each.file)]))
  const known = files.filter((each) => each === lockFile || packages.has(each))
  const others = files.filter((each) => !known.includes(each))
  return {
    project: root === undefined ? undefined : packages.get(root),
    members: manifests.filter((each) => each !== root).map((each) => packages.get(each)!),
    lock,
    filesRead: [
      ...known.map((each) => (each === lockFile ? tool.labelOf(lock!) : nameFile(packages.get(each)!, each === root))),
      ...others.map(({ kind }) => kind),
    ],
    files: new Map(manifests.map((each) => [packages.get(each)!, each.file])),
    root: root === undefined ? undefined : { file: root.file, content: contents.get(root)! },
  }
}

function nameFile({ name }: PackageJson, isRoot: boolean): string {
  return isRoot ? 'package.json' : `package.json (${name ?? 'a workspace member without a name'})`
}

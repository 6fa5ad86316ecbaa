import { identifyFiles } from '../../file-kinds/identify-files.ts'
import { type Manifest, Unreadable } from '../ecosystem.ts'
import { type JsonObject, ownValue } from './json-document.ts'
import { type PackageJson, toPackageJson, workspacePatterns } from './package-json.ts'
import { type Lock, toLock } from './package-lock.ts'

/** The sent files, told apart by what is in them. */
export interface ManifestFiles {
  /** The project's own package.json; undefined when only a lockfile was sent. */
  readonly project: PackageJson | undefined
  readonly members: readonly PackageJson[]
  readonly lock: Lock | undefined
  readonly filesRead: string[]
}

interface Document {
  readonly file: 'target' | number
  readonly content: JsonObject
  readonly isLock: boolean
}

/**
 * The target is the project's package.json, or a lockfile. Among the others there may be one lockfile; every
 * package.json is a workspace member, except that the first is the project when the target is the lockfile (the one
 * with `workspaces`, if any has).
 */
export function sortFiles(manifest: Manifest): ManifestFiles {
  const documents = identifyFiles('npm', manifest).map(
    ({ file, kind, json }): Document => ({ file, content: json(), isLock: kind === 'package-lock.json' }),
  )
  const locks = documents.filter(({ isLock }) => isLock)
  const [lock, second] = locks
  if (second !== undefined)
    throw new Unreadable('Two lockfiles were sent; send the one that npm uses', { file: second.file })
  const manifests = documents.filter(({ isLock }) => !isLock)
  const root = manifests.find(({ file }) => file === 'target') ?? manifests.find(hasWorkspaces) ?? manifests[0]
  const read = lock === undefined ? undefined : toLock(lock.content, lock.file)
  const packages = new Map(manifests.map((document) => [document, toPackageJson(document.content, document.file)]))
  return {
    project: root === undefined ? undefined : packages.get(root),
    members: manifests.filter((document) => document !== root).map((document) => packages.get(document)!),
    lock: read,
    filesRead: documents.map((document) =>
      document === lock
        ? `package-lock.json (lockfileVersion ${read!.lockfileVersion})`
        : nameFile(packages.get(document)!, document === root),
    ),
  }
}

function hasWorkspaces({ content }: Document): boolean {
  return workspacePatterns(ownValue(content, 'workspaces')).length > 0
}

function nameFile({ name }: PackageJson, isRoot: boolean): string {
  return isRoot ? 'package.json' : `package.json (${name ?? 'a workspace member without a name'})`
}

import { type IdentifiedFile, identifyFiles } from '../../file-kinds/identify-files.ts'
import { type Manifest, Unreadable } from '../ecosystem.ts'
import { type JsonObject, ownValue } from '../npm/json-document.ts'
import { type PackageJson, toPackageJson, workspacePatterns } from '../npm/package-json.ts'
import { readLockBerry } from './lock-berry.ts'
import { readLockV1 } from './lock-v1.ts'
import { noResolutions, parseResolutions, type Resolutions } from './resolutions.ts'
import { isBerryText, type YarnLock } from './yarn-lock.ts'

/** The sent files, told apart by what is in them. */
export interface ManifestFiles {
  /** The project's own package.json; undefined when only a lockfile was sent. */
  readonly project: PackageJson | undefined
  readonly members: readonly PackageJson[]
  readonly resolutions: Resolutions
  readonly lock: YarnLock | undefined
  readonly filesRead: string[]
  /** What was sent and is not looked into. */
  readonly notes: readonly string[]
}

interface Document {
  readonly file: 'target' | number
  /** Undefined for a lockfile. */
  readonly content: JsonObject | undefined
  readonly text: string
}

/**
 * The target is the project's package.json, or the yarn.lock. Among the others there may be one yarn.lock; every
 * package.json is a workspace, except that the first is the project when the target is the lockfile (the one with
 * `workspaces`, if any has). Of a .yarnrc.yml only what changes packages is named.
 */
export function sortFiles(manifest: Manifest): ManifestFiles {
  const files = identifyFiles('yarn', manifest)
  const settings = files.filter(({ kind }) => kind === '.yarnrc.yml').map(({ text }) => text)
  const documents = files.filter(({ kind }) => kind !== '.yarnrc.yml').map(open)
  const locks = documents.filter(({ content }) => content === undefined)
  const second = locks[1]
  if (second !== undefined) throw new Unreadable('Two yarn.lock files were sent; send one', { file: second.file })
  const lock = locks[0] === undefined ? undefined : readLock(locks[0])
  const manifests = documents.filter(({ content }) => content !== undefined)
  const root = manifests.find(({ file }) => file === 'target') ?? manifests.find(hasWorkspaces) ?? manifests[0]
  const packages = new Map(manifests.map((document) => [document, toProject(document)]))
  return {
    project: root === undefined ? undefined : packages.get(root),
    members: manifests.filter((document) => document !== root).map((document) => packages.get(document)!),
    resolutions: root === undefined ? noResolutions : parseResolutions(root.content!, root.file),
    lock,
    filesRead: [
      ...documents.map((document) =>
        document.content === undefined ? lock!.label : nameFile(packages.get(document)!, document === root),
      ),
      ...settings.map(() => '.yarnrc.yml'),
    ],
    notes: settings.flatMap(nameSettings),
  }
}

/** Settings of Yarn ("Settings (.yarnrc.yml)") by which other packages are meant, or more of them. */
function nameSettings(text: string): string[] {
  const names = ['npmRegistryServer', 'npmScopes', 'packageExtensions', 'catalog', 'catalogs']
  const found = names.filter((name) => new RegExp(`(?:^|[{,])\\s*["']?${name}["']?\\s*:`, 'm').test(text))
  if (found.length === 0) return []
  return [
    `What .yarnrc.yml sets for ${found.join(', ')} is not looked into: packages may come from elsewhere, or be more`,
  ]
}

function open({ file, text, kind, json }: IdentifiedFile): Document {
  return { file, content: kind === 'yarn.lock' ? undefined : json(), text }
}

function readLock({ file, text }: Document): YarnLock {
  return isBerryText(text) ? readLockBerry(text, file) : readLockV1(text, file)
}

/** Reads without `overrides`, which are npm's, with Yarn 1's choice where a name is listed twice, and without peers: yarn leaves those of a project to its dependents. */
function toProject({ content, file }: Document): PackageJson {
  const members = Object.entries(content!).filter(([key]) => key !== 'overrides')
  const read = toPackageJson(Object.fromEntries(members), file)
  return {
    ...read,
    dependencies: read.dependencies
      .filter(({ kind }) => kind !== 'peer')
      .map((each) => (each.rangeWithoutDev === undefined ? each : { ...each, range: each.rangeWithoutDev })),
  }
}

function hasWorkspaces({ content }: Document): boolean {
  return workspacePatterns(ownValue(content!, 'workspaces')).length > 0
}

function nameFile({ name }: PackageJson, isRoot: boolean): string {
  return isRoot ? 'package.json' : `package.json (${name ?? 'a workspace without a name'})`
}

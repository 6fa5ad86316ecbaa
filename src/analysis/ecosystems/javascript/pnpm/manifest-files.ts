import { type IdentifiedFile, identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { type JsonObject, objectAt, ownValue, rangesAt } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { toOtherPackageJson } from '../package-json.ts'
import { type SortedFiles, sortFilesOf } from '../sort-files.ts'
import { BRANCH_LOCK } from './branch-lock.ts'
import { parseOverrideLines } from './overrides.ts'
import { type PnpmLock, readPnpmLock } from './pnpm-lock.ts'
import type { ResolutionRules } from './resolve.ts'
import { withRuntimes } from './runtimes.ts'
import { parseWorkspace, type WorkspaceSettings } from './workspace-settings.ts'

/** The sent files, identified by content. */
export interface ManifestFiles extends Omit<SortedFiles<PnpmLock>, 'root'> {
  /** The settings of package.json and pnpm-workspace.yaml; a lock lists the ones it was written with. */
  readonly rules: ResolutionRules
  /** Settings that change packages, and were not yet applied when the lock was written. */
  readonly unlocked: readonly string[]
  /** Files with settings that may change packages and are not read. */
  readonly included: WorkspaceSettings['included']
  /** True if settings that were not sent do not exist. */
  readonly hasAllSettings: boolean
}

export function sortFiles(manifest: Manifest): ManifestFiles {
  const files = identifyFiles('pnpm', manifest)
  const [settings, second] = files.filter(({ kind }) => kind === 'pnpm-workspace.yaml')
  if (second !== undefined) {
    throw new Unreadable('Two pnpm-workspace.yaml files were sent; send one', { file: second.file })
  }
  const above = files.filter((file) => isAbove(file, manifest))
  const outside = above.find(({ kind }) => kind === 'package.json')
  const inside = files.filter((file) => file !== outside)
  const { root: own, ...sorted } = sortFilesOf(inside, {
    places: manifest.places,
    lockKind: 'pnpm-lock.yaml',
    secondLock: 'Two pnpm lockfiles were sent; send one',
    readLock: ({ text, file }) => readPnpmLock(text, file, nameOfLock(file, manifest)),
    labelOf: ({ label }) => label,
    toProject: (content, from) => toOtherPackageJson(withRuntimes(content), from),
  })
  const workspace = settings === undefined ? undefined : parseWorkspace(settings.text, settings.file)
  const included = workspace?.included ?? []
  const isMember = settings !== undefined && above.includes(settings)
  // pnpm 8 does not apply them to locks of members.
  const outer = outside === undefined || sorted.lock?.takesOuterOverrides === false ? undefined : outside
  const root = isMember ? outer && { file: outer.file, content: outer.json() } : own
  const inRoot = root === undefined ? undefined : settingsIn(root.content, root.file)
  const changing = [
    ...(inRoot?.hasExtensions ? [['packageExtensions', 'pnpm.packageExtensions of package.json'] as const] : []),
    ...(workspace?.notApplied ?? []).map((name) => [name, `${name} of pnpm-workspace.yaml`] as const),
  ]
  return {
    ...sorted,
    filesRead: [...sorted.filesRead, ...(outside === undefined ? [] : ['package.json (settings of the workspace)'])],
    rules: {
      lockName: sorted.lock?.fileName ?? 'pnpm-lock.yaml',
      packages: workspace?.packages ?? [],
      catalogs: workspace?.catalogs ?? new Map(),
      overrides: parseOverrideLines([...(inRoot?.overrides ?? []), ...(workspace?.overrides ?? [])]),
      notApplied: changing.map(([, label]) => label),
    },
    unlocked: changing.flatMap(([name, label]) => (sorted.lock?.covers.has(name) === false ? label : [])),
    included,
    hasAllSettings: included.length === 0 && (settings !== undefined || manifest.places !== undefined),
  }
}

/** Returns the name of a git branch's lock; undefined for the usual one. */
function nameOfLock(file: 'target' | number, { places }: Manifest): string | undefined {
  const path = file === 'target' ? places?.target : places?.additional[file]
  const name = path?.slice(path.lastIndexOf('/') + 1) ?? ''
  return BRANCH_LOCK.test(name) ? name : undefined
}

/** Returns true for the settings of a workspace that has the project as a member (`sharedWorkspaceLockfile: false`). */
function isAbove({ file }: IdentifiedFile, { places }: Manifest): boolean {
  return (
    places?.member === undefined &&
    file !== 'target' &&
    /^(?:\.\.\/)+(?:pnpm-workspace\.yaml|package\.json)$/.test(places?.additional[file] ?? '')
  )
}

/** The first version of pnpm that reads none of its settings in package.json, nor `resolutions`. */
const FIRST_WITHOUT_SETTINGS = 11

/** Reads the settings in package.json; those of pnpm win over `resolutions`. */
function settingsIn(content: JsonObject, file: 'target' | number) {
  if (pnpmVersion(content) >= FIRST_WITHOUT_SETTINGS) return { overrides: [], hasExtensions: false }
  const where = { file, entry: '' }
  const own = objectAt(content, 'pnpm', where) ?? {}
  return {
    overrides: [...rangesAt(content, 'resolutions', where), ...rangesAt(own, 'overrides', { file, entry: 'pnpm' })],
    hasExtensions: ownValue(own, 'packageExtensions') !== undefined,
  }
}

/** Returns the major version that `packageManager` names; NaN without one, so that no comparison holds. */
function pnpmVersion(content: JsonObject): number {
  const packageManager = ownValue(content, 'packageManager')
  return typeof packageManager === 'string' ? Number(/^pnpm@(\d+)\./.exec(packageManager)?.[1]) : Number.NaN
}

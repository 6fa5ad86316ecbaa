import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import type { JsonObject } from '#analysis/documents/json-document.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { type PackageJson, toOtherPackageJson } from '../package-json.ts'
import { noResolutions, parseResolutions, type Resolutions } from '../resolutions.ts'
import { type SortedFiles, sortFilesOf } from '../sort-files.ts'
import { readLockBerry } from './lock-berry.ts'
import { readLockV1 } from './lock-v1.ts'
import { isBerryText, type YarnLock } from './yarn-lock.ts'
import { noSettings, readSettings, withCatalogs, type YarnSettings } from './yarn-settings.ts'

/** The sent files, identified by content. */
export interface ManifestFiles extends Omit<SortedFiles<YarnLock>, 'root' | 'files'> {
  readonly resolutions: Resolutions
  /** The settings about packages of a .yarnrc.yml. */
  readonly settings: YarnSettings
  /** Sent files that are not examined. */
  readonly notes: readonly string[]
}

/** Sorts the files. Settings of a .yarnrc.yml that affect packages are reported. */
export function sortFiles(manifest: Manifest): ManifestFiles {
  const files = identifyFiles('yarn', manifest)
  const texts = files.filter(({ kind }) => kind === '.yarnrc.yml')
  const settings = texts.map(({ text, file }) => readSettings(text, file)).at(0) ?? noSettings
  const {
    root,
    files: _,
    ...sorted
  } = sortFilesOf(files, {
    places: manifest.places,
    lockKind: 'yarn.lock',
    secondLock: 'Two yarn.lock files were sent; send one',
    readLock: ({ text, file }) => (isBerryText(text) ? readLockBerry(text, file, settings) : readLockV1(text, file)),
    labelOf: ({ label }) => label,
    toProject: (content, file) => withCatalogs(toProject(content, file), settings),
  })
  return {
    ...sorted,
    resolutions: root === undefined ? noResolutions : parseResolutions(root.content, root.file),
    settings,
    notes: texts.flatMap(({ text }) => describeSettings(text, sorted.lock !== undefined)),
  }
}

/** Returns Yarn's settings ("Settings (.yarnrc.yml)") that replace or add packages. */
function describeSettings(text: string, hasLock: boolean): string[] {
  const names = ['npmRegistryServer', 'npmScopes', ...(hasLock ? [] : ['packageExtensions'])]
  const present = names.filter((name) => new RegExp(`(?:^|[{,])\\s*["']?${name}["']?\\s*:`, 'm').test(text))
  if (present.length === 0) return []
  return [
    `What .yarnrc.yml sets for ${present.join(', ')} is not looked into: packages may come from elsewhere, or be more`,
  ]
}

/** Leaves out peers, which Yarn leaves to a project's dependents. */
function toProject(content: JsonObject, file: 'target' | number): PackageJson {
  const read = toOtherPackageJson(content, file)
  return { ...read, dependencies: read.dependencies.filter(({ kind }) => kind !== 'peer') }
}

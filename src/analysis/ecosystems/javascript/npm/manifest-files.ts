import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { toPackageJson } from '../package-json.ts'
import { type SortedFiles, sortFilesOf } from '../sort-files.ts'
import type { Lock } from './lock-tree.ts'
import { toLock } from './package-lock.ts'

/** The sent files, identified by content. */
export type ManifestFiles = Omit<SortedFiles<Lock>, 'root' | 'files'>

export function sortFiles(manifest: Manifest): ManifestFiles {
  return sortFilesOf(identifyFiles('npm', manifest), {
    places: manifest.places,
    lockKind: 'package-lock.json',
    secondLock: 'Two lockfiles were sent; send the one that npm uses',
    readLock: ({ json, file }) => toLock(json(), file),
    labelOf: ({ lockfileVersion }) => `package-lock.json (lockfileVersion ${lockfileVersion})`,
    toProject: toPackageJson,
  })
}

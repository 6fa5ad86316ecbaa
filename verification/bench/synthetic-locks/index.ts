import type { Manifest } from '../../../src/analysis/ecosystems/ecosystem.ts'
import { cycloneDxJson, cycloneDxXml, spdx3, spdxJson, spdxTags } from './bills.ts'
import { goSum, gradleLockfile, modulesTxt } from './go-and-gradle.ts'
import { bunLock, pnpmLock } from './javascript.ts'
import { type SyntheticPackage, syntheticPackages } from './packages.ts'
import { pipfileLock, poetryLock, pylock, uvLock } from './python.ts'

/** A format of lockfiles or bills of materials, with a writer of it. */
export interface LockFormat {
  readonly ecosystem: string
  readonly name: string
  write(packages: readonly SyntheticPackage[]): Manifest
}

const formats: readonly LockFormat[] = [
  { ecosystem: 'pnpm', name: 'pnpm-lock.yaml', write: pnpmLock },
  { ecosystem: 'bun', name: 'bun.lock', write: bunLock },
  { ecosystem: 'poetry', name: 'poetry.lock', write: poetryLock },
  { ecosystem: 'uv', name: 'uv.lock', write: uvLock },
  { ecosystem: 'pipenv', name: 'Pipfile.lock', write: pipfileLock },
  { ecosystem: 'pyproject', name: 'pylock.toml', write: pylock },
  { ecosystem: 'gomodules', name: 'go.mod, go.sum', write: goSum },
  { ecosystem: 'gomodules', name: 'go.mod, modules.txt', write: modulesTxt },
  { ecosystem: 'gradle', name: 'gradle.lockfile', write: gradleLockfile },
  { ecosystem: 'sbom', name: 'CycloneDX, JSON', write: cycloneDxJson },
  { ecosystem: 'sbom', name: 'CycloneDX, XML', write: cycloneDxXml },
  { ecosystem: 'sbom', name: 'SPDX 2.3, JSON', write: spdxJson },
  { ecosystem: 'sbom', name: 'SPDX 2.3, tag-value', write: spdxTags },
  { ecosystem: 'sbom', name: 'SPDX 3.0, JSON', write: spdx3 },
]

export interface SyntheticLock extends Manifest {
  readonly ecosystem: string
  readonly name: string
  readonly bytes: number
}

/** Returns a project of `count` packages, without known vulnerabilities, in every format. */
export function syntheticLocks(count: number): SyntheticLock[] {
  const packages = syntheticPackages(count)
  return formats.map(({ ecosystem, name, write }) => {
    const manifest = write(packages)
    const bytes = [manifest.target, ...manifest.additional].reduce((sum, text) => sum + text.length, 0)
    return { ecosystem, name, ...manifest, bytes }
  })
}

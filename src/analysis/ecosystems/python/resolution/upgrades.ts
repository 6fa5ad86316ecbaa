import type { WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'
import type { PyPiReader } from '#analysis/registries/pypi.ts'
import { pep440Versions } from '#analysis/versions/pep440.ts'
import { recommendableFixes } from '#analysis/versions/prerelease.ts'

/** Lists published versions only: affected packages are pinned, which needs no resolution. */
export function whatIfResolver(reader: PyPiReader): WhatIfResolver {
  return {
    isSameForAll: true,
    async candidates({ name, version: current }) {
      const project = await reader.project(name)
      if (project === undefined) return undefined
      // A version was yanked if each of its files was (PEP 592).
      const files = project.files.filter(
        ({ yanked, version }) => !yanked && pep440Versions.compare(version, current) > 0,
      )
      const versions = new Set(files.map(({ version }) => version))
      return recommendableFixes([...versions], current, pep440Versions).sort(pep440Versions.compare)
    },
  }
}

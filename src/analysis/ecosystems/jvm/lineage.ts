import { type Ancestor, type PomFault, type PomSource, toText } from './coordinates.ts'
import { type MavenConfig, noConfig } from './maven-config.ts'
import type { ParentReference, Pom } from './pom.ts'
import { injectProfiles, keyOf, selectProfiles } from './profiles.ts'
import { findNewest } from './requirement.ts'

const MAX_ANCESTORS = 50

interface LineageContext {
  readonly source: PomSource
  readonly config: MavenConfig
  readonly faults: PomFault[]
}

/** Reads the POM and its ancestors, nearest first. A missing parent ends the list and is a fault. */
export async function readLineage(pom: Pom, { source, config, faults }: LineageContext): Promise<Ancestor[]> {
  const lineage = [toAncestor(pom, config)]
  const seen = new Set<string>()
  for (let at = pom; at.parent !== undefined; ) {
    const reference = at.parent
    const missing = (code: PomFault['code'], reason: string) => {
      const { group, artifact, version, place } = reference
      faults.push({ name: `${group}:${artifact}`, range: version, code, reason, place })
    }
    const text = toText(reference)
    if (seen.has(text) || seen.size === MAX_ANCESTORS) {
      missing(
        'not-static',
        seen.has(text) ? 'The POM is its own ancestor' : `A POM has more than ${MAX_ANCESTORS} ancestors`,
      )
      break
    }
    seen.add(text)
    const parent = await findParent(reference, source)
    if (!('pom' in parent)) {
      missing(parent.code, `${parent.reason}; what this parent says is not known`)
      break
    }
    at = parent.pom
    lineage.push(toAncestor(at, config))
  }
  return lineage
}

async function findParent(reference: ParentReference, source: PomSource): ReturnType<PomSource['find']> {
  const { group, artifact, version } = reference
  if (!/^[[(]/.test(version)) return source.find(reference)
  const versions = await source.versions(group, artifact)
  if ('code' in versions) return versions
  const newest = findNewest(versions, [version])
  if (newest === undefined) return { code: 'no-matching-version', reason: 'No published version is in this range' }
  return source.find({ group, artifact, version: newest })
}

/** Applies profiles. Command lines of `.mvn` affect only the project's own POMs, whose levels are not shared. */
function toAncestor(pom: Pom, config: MavenConfig): Ancestor {
  const cached = levels.get(pom)
  if (cached !== undefined) return cached
  const profiles = selectProfiles(withoutDuplicates(pom), pom.origin === 'project' ? config : noConfig)
  const level = { pom, profiles, merged: injectProfiles(withoutDuplicates(pom), profiles.active) }
  levels.set(pom, level)
  return level
}

/** Derived once per immutable POM: parents are shared by hundreds of POMs. */
const levels = new WeakMap<Pom, Ancestor>()

/** Removes duplicate dependencies of one POM as Maven does: the last one, at the first one's place. */
function withoutDuplicates(pom: Pom): Pom {
  const byKey = new Map(pom.dependencies.map((dependency) => [keyOf(dependency), dependency]))
  return byKey.size === pom.dependencies.length ? pom : { ...pom, dependencies: [...byKey.values()] }
}

import type { Manifest } from '../ecosystem.ts'
import type { Coordinates } from './effective-pom.ts'
import { createInterpolator, hasExpression } from './interpolation.ts'
import { type Pom, type PomModule, parsePom } from './pom.ts'

/** The POMs that were sent, and how they belong together. */
export interface SentPoms {
  readonly target: Pom
  /** In the order they came. */
  readonly all: readonly Pom[]
  /** The POM of these coordinates, also when its version is an expression or inherited. */
  find(coordinates: Coordinates): Pom | undefined
  /** The modules below a POM, with those below them; entries whose POM was not sent are named. */
  modulesOf(
    pom: Pom,
    listed: readonly PomModule[],
  ): { readonly found: readonly Pom[]; readonly missing: readonly PomModule[] }
}

export function readSentPoms({ target, additional }: Manifest): SentPoms {
  const first = parsePom({ file: 'target', text: target }, 'project')
  const all = [first, ...additional.map((text, file) => parsePom({ file, text }, 'project'))]
  const byArtifact = Map.groupBy(all, (pom) => `${groupOf(pom)}:${pom.artifact}`)

  function find({ group, artifact, version }: Coordinates): Pom | undefined {
    const same = byArtifact.get(`${group}:${artifact}`) ?? []
    return same.find((pom) => rawVersion(pom) === version) ?? same.find((pom) => versionOf(pom) === version)
  }

  /** With the properties of the POM and of those above it that were sent. */
  function versionOf(pom: Pom): string | undefined {
    const raw = rawVersion(pom)
    if (raw === undefined || !hasExpression(raw)) return raw
    const family = familyOf(pom)
    return createInterpolator((name) => family.find(({ properties }) => properties.has(name))?.properties.get(name))(
      raw,
    )
  }

  function familyOf(pom: Pom): Pom[] {
    const family = [pom]
    for (let at = parentOf(pom); at !== undefined && !family.includes(at); at = parentOf(at)) family.push(at)
    return family
  }

  function parentOf({ parent }: Pom): Pom | undefined {
    return (
      parent && byArtifact.get(`${parent.group}:${parent.artifact}`)?.find((pom) => rawVersion(pom) === parent.version)
    )
  }

  function modulesOf(pom: Pom, listed: readonly PomModule[]) {
    const children = all.filter((each) => each !== pom && parentOf(each) === pom)
    const named = listed.map((module) => ({ module, pom: all.find((each) => each !== pom && isNamed(each, module)) }))
    const left = children.filter((each) => !named.some((other) => other.pom === each))
    const found = named.map((each) => ({ ...each, pom: each.pom ?? left.shift() }))
    return {
      found: [...new Set(found.flatMap((each) => each.pom ?? []))],
      missing: found.flatMap((each) => (each.pom === undefined ? [each.module] : [])),
    }
  }

  return { target: first, all, find, modulesOf }
}

/** A module is named by its folder, which mostly is called as the artifact is. */
function isNamed({ artifact }: Pom, { path }: PomModule): boolean {
  const folder = path
    .replace(/\/(?:[^/]*\.xml)?$/, '')
    .split('/')
    .at(-1)
  return folder !== undefined && folder === artifact
}

function groupOf({ group, parent }: Pom): string {
  return group ?? parent?.group ?? ''
}

function rawVersion({ version, parent }: Pom): string | undefined {
  return version ?? parent?.version
}

/** How a POM is named where something is required by it. */
export function nameOf(pom: Pom): string {
  return `${groupOf(pom)}:${pom.artifact ?? '?'}`
}

import { identifyFiles } from '../../file-kinds/identify-files.ts'
import type { Manifest } from '../ecosystem.ts'
import type { Coordinates } from './effective-pom.ts'
import { createInterpolator, hasExpression } from './interpolation.ts'
import { type MavenConfig, readConfig } from './maven-config.ts'
import { type Pom, type PomModule, parsePom } from './pom.ts'

/** The POMs that were sent, and how they belong together. */
export interface SentPoms {
  readonly target: Pom
  /** In the order they came. */
  readonly all: readonly Pom[]
  /** Its number among the additional files, from 1; 0 for the target. */
  numberOf(pom: Pom): number
  /** What the files of `.mvn` say. */
  readonly config: MavenConfig
  /** Those that something led to so far, the target among them. */
  readonly used: ReadonlySet<Pom>
  /** True when a module of any profile is called so: it may be part of another build than ours. */
  isModuleSomewhere(pom: Pom): boolean
  /** The POM of these coordinates, also when its version is an expression or inherited. */
  find(coordinates: Coordinates): Pom | undefined
  /** The modules below a POM, with those below them; entries whose POM was not sent are named. */
  modulesOf(
    pom: Pom,
    listed: readonly PomModule[],
  ): { readonly found: readonly Pom[]; readonly missing: readonly PomModule[] }
}

export function readSentPoms(manifest: Manifest): SentPoms {
  const { places } = manifest
  const [target, ...additional] = identifyFiles('maven', manifest)
  const first = parsePom(target, 'project')
  const { poms = [], configs = [] } = Object.groupBy(additional, ({ kind }) =>
    kind === 'pom.xml' ? 'poms' : 'configs',
  )
  const parsed = new Map(poms.map((each) => [parsePom(each, 'project'), each]))
  const all = [first, ...parsed.keys()]
  const config = readConfig(configs)
  const used = new Set([first])
  const byArtifact = Map.groupBy(all, (pom) => `${groupOf(pom)}:${pom.artifact}`)

  function find({ group, artifact, version }: Coordinates): Pom | undefined {
    const same = byArtifact.get(`${group}:${artifact}`) ?? []
    const found = same.find((pom) => rawVersion(pom) === version) ?? same.find((pom) => versionOf(pom) === version)
    if (found !== undefined) used.add(found)
    return found
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

  /**
   * Only names tell which POM a module's folder holds: that of the artifact first, then one that the folder ends or
   * begins, then what is left below the same parent.
   */
  function modulesOf(pom: Pom, listed: readonly PomModule[]) {
    if (places !== undefined) return { found: [], missing: [] }
    const children = all.filter((each) => each !== pom && parentOf(each) === pom)
    if (pom.discoversSubprojects) {
      for (const each of children) used.add(each)
      return { found: children, missing: [{ path: '*/pom.xml', place: undefined }] }
    }
    const free = all.filter((each) => each !== pom && each !== first && !isNamedAnywhere(each))
    const found = new Map<PomModule, Pom>()
    const rules: ((folder: string) => Pom | undefined)[] = [
      (folder) => [...children, ...all].find((each) => each !== pom && each.artifact === folder),
      (folder) => [...children.filter((each) => free.includes(each)), ...free].find((each) => isAkin(each, folder)),
      () => children.find((each) => free.includes(each)),
    ]
    for (const rule of rules) {
      for (const module of listed) {
        const match = found.has(module) ? undefined : rule(folderOf(module))
        if (match === undefined) continue
        found.set(module, match)
        if (free.includes(match)) free.splice(free.indexOf(match), 1)
      }
    }
    for (const each of found.values()) used.add(each)
    return { found: [...new Set(found.values())], missing: listed.filter((module) => !found.has(module)) }
  }

  const folders = new Set(
    all.flatMap(({ modules, profiles }) => [...modules, ...profiles.flatMap((each) => each.modules)].map(folderOf)),
  )
  const isNamedAnywhere = ({ artifact }: Pom) => artifact !== undefined && folders.has(artifact)

  const numberOf = (pom: Pom) => Number(parsed.get(pom)?.file ?? -1) + 1
  return { target: first, all, numberOf, config, used, isModuleSomewhere: isNamedAnywhere, find, modulesOf }
}

/** The last part of a module's path, which may name the file in it too. */
function folderOf({ path }: PomModule): string {
  return (
    path
      .replace(/\/(?:[^/]*\.xml)?$/, '')
      .split('/')
      .at(-1) ?? ''
  )
}

function isAkin({ artifact = '' }: Pom, folder: string): boolean {
  return artifact.endsWith(folder) || (artifact !== '' && folder.startsWith(artifact))
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

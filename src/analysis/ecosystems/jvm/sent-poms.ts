import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import type { Manifest } from '../ecosystem.ts'
import type { Coordinates } from './coordinates.ts'
import { createInterpolator, hasExpression } from './interpolation.ts'
import { type MavenConfig, readConfig } from './maven-config.ts'
import { type Pom, type PomModule, parsePom } from './pom.ts'

/** The sent POMs and their relations. */
export interface SentPoms {
  readonly target: Pom
  /** In the order sent. */
  readonly all: readonly Pom[]
  /** Returns its number among the additional files, from 1; 0 for the target. */
  numberOf(pom: Pom): number
  /** The settings in the files of `.mvn`. */
  readonly config: MavenConfig
  /** POMs reached so far, including the target. */
  readonly used: ReadonlySet<Pom>
  /** Returns true if a module of any profile has this name: it may belong to another build. */
  isModuleSomewhere(pom: Pom): boolean
  /** Returns the POM of these coordinates, also if its version is an expression or inherited. */
  find(coordinates: Coordinates): Pom | undefined
  /** Returns the modules below a POM, recursively; reports entries whose POM was not sent. */
  modulesOf(
    pom: Pom,
    listed: readonly PomModule[],
  ): { readonly poms: readonly Pom[]; readonly missing: readonly PomModule[] }
}

export function readSentPoms(manifest: Manifest): SentPoms {
  const { places } = manifest
  const [target, ...additional] = identifyFiles('maven', manifest)
  const first = parsePom(target, 'project')
  const { poms = [], configs = [] } = Object.groupBy(additional, ({ kind }) =>
    kind === 'pom.xml' ? 'poms' : 'configs',
  )
  const parsed = new Map(poms.map((pom) => [parsePom(pom, 'project'), pom]))
  const all = [first, ...parsed.keys()]
  const config = readConfig(configs)
  const used = new Set([first])
  const byArtifact = Map.groupBy(all, (pom) => `${groupOf(pom)}:${pom.artifact}`)

  function find({ group, artifact, version }: Coordinates): Pom | undefined {
    const same = byArtifact.get(`${group}:${artifact}`) ?? []
    const match = same.find((pom) => rawVersion(pom) === version) ?? same.find((pom) => versionOf(pom) === version)
    if (match !== undefined) used.add(match)
    return match
  }

  /** Returns the version, interpolated with the POM's and its sent ancestors' properties. */
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
   * Assigns POMs to module folders by name: an equal artifact first, then one that the folder name begins or ends with,
   * then the rest below the same parent.
   */
  function modulesOf(pom: Pom, listed: readonly PomModule[]) {
    if (places !== undefined) return { poms: [], missing: [] }
    const children = all.filter((candidate) => candidate !== pom && parentOf(candidate) === pom)
    if (pom.discoversSubprojects) {
      for (const child of children) used.add(child)
      return { poms: children, missing: [{ path: '*/pom.xml', place: undefined }] }
    }
    const free = all.filter((candidate) => candidate !== pom && candidate !== first && !isNamedAnywhere(candidate))
    const pomByModule = new Map<PomModule, Pom>()
    const rules: ((folder: string) => Pom | undefined)[] = [
      (folder) => [...children, ...all].find((child) => child !== pom && child.artifact === folder),
      (folder) => [...children.filter((child) => free.includes(child)), ...free].find((child) => isAkin(child, folder)),
      () => children.find((child) => free.includes(child)),
    ]
    for (const rule of rules) {
      for (const module of listed) {
        const match = pomByModule.has(module) ? undefined : rule(folderOf(module))
        if (match === undefined) continue
        pomByModule.set(module, match)
        if (free.includes(match)) free.splice(free.indexOf(match), 1)
      }
    }
    for (const pom of pomByModule.values()) used.add(pom)
    return { poms: [...new Set(pomByModule.values())], missing: listed.filter((module) => !pomByModule.has(module)) }
  }

  const folders = new Set(
    all.flatMap(({ modules, profiles }) =>
      [...modules, ...profiles.flatMap((profile) => profile.modules)].map(folderOf),
    ),
  )
  const isNamedAnywhere = ({ artifact }: Pom) => artifact !== undefined && folders.has(artifact)

  const numberOf = (pom: Pom) => Number(parsed.get(pom)?.file ?? -1) + 1
  return { target: first, all, numberOf, config, used, isModuleSomewhere: isNamedAnywhere, find, modulesOf }
}

/** Returns the last part of a module's path, which may also name the file. */
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

/** Returns the label of a requiring POM. */
export function nameOf(pom: Pom): string {
  return `${groupOf(pom)}:${pom.artifact ?? '?'}`
}

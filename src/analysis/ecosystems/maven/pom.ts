import { Unreadable } from '../ecosystem.ts'
import { refuseMalformed } from './strict-pom.ts'
import { childOf, listOf, parseXml, shorten, textOf, type XmlElement, type XmlSource } from './xml.ts'

/** Where something stands in the files of the project; `undefined` for what comes from a repository. */
export interface Place {
  readonly file: 'target' | number
  readonly line: number
}

export interface Exclusion {
  /** `*` for any. */
  readonly group: string
  readonly artifact: string
}

/** A dependency as a POM writes it: expressions are still in it. */
export interface PomDependency {
  readonly group: string
  readonly artifact: string
  readonly version: string | undefined
  readonly type: string
  readonly classifier: string | undefined
  readonly scope: string | undefined
  readonly optional: string | undefined
  readonly exclusions: readonly Exclusion[]
  readonly place: Place | undefined
}

export interface ParentReference {
  readonly group: string
  readonly artifact: string
  readonly version: string
  readonly place: Place | undefined
}

/** What a profile may change of what we read. */
export interface PomBase {
  readonly properties: ReadonlyMap<string, string>
  readonly dependencies: readonly PomDependency[]
  readonly managed: readonly PomDependency[]
  readonly repositories: readonly PomRepository[]
  readonly modules: readonly PomModule[]
  /** Packages that plugins copy or unpack (`artifactItem` of maven-dependency-plugin), by their coordinates. */
  readonly copied: readonly PomModule[]
  /** Packages that only the compiler runs (`annotationProcessorPaths`), by their coordinates. */
  readonly processors: readonly string[]
}

export interface PomRepository {
  readonly id: string
  readonly url: string
}

export interface PomModule {
  readonly path: string
  readonly place: Place | undefined
}

export interface PomProfile extends PomBase {
  readonly id: string
  readonly activation: Activation
}

export interface Activation {
  readonly byDefault: boolean
  readonly jdk: string | undefined
  readonly os: OsActivation | undefined
  readonly property: { readonly name: string; readonly value: string | undefined } | undefined
  /** Whether the presence or absence of a file is asked for. */
  readonly asksForFile: boolean
}

export interface OsActivation {
  readonly name: string | undefined
  readonly family: string | undefined
  readonly arch: string | undefined
  readonly version: string | undefined
}

/** The members of a POM that decide what is resolved, as they are written. */
export interface Pom extends PomBase {
  readonly origin: Origin
  readonly group: string | undefined
  readonly artifact: string | undefined
  readonly version: string | undefined
  readonly packaging: string
  readonly name: string | undefined
  readonly parent: ParentReference | undefined
  readonly profiles: readonly PomProfile[]
  readonly licences: readonly string[]
  readonly relocation: Relocation | undefined
  /** POMs that Maven mixes in since model version 4.2.0, by their coordinates or paths; they are not read. */
  readonly mixins: readonly PomModule[]
  /** True when Maven looks for subprojects in the folders below, since model version 4.1.0. */
  readonly discoversSubprojects: boolean
  /** Whether Gradle is told to take its own metadata beside it instead. */
  readonly isMarkedForGradle: boolean
}

/** What is not given stays as it was. */
export interface Relocation {
  readonly group: string | undefined
  readonly artifact: string | undefined
  readonly version: string | undefined
}

/** Sent with the project, or published. */
export type Origin = 'project' | 'repository'

const MAX_VALUE_CHARACTERS = 2_000
/** A comment of this text ("Publishing Gradle Module Metadata"). */
const GRADLE_MARK = 'do_not_remove: published-with-gradle-metadata'

/**
 * Reads a POM of model version 4.0.0 (Maven's POM reference), values trimmed as Maven trims them. Not read: plugins and
 * their dependencies, reporting, extensions, `systemPath`.
 */
export function parsePom(source: XmlSource, origin: Origin): Pom {
  const root = parseXml(source)
  if (root.name !== 'project') {
    const what = `The file is not a POM: its root element is <${shorten(root.name)}>, not <project>`
    throw new Unreadable(what, { file: source.file, line: root.line })
  }
  if (origin === 'project') refuseMalformed(root, source.file)
  const place = (element: XmlElement) => (origin === 'project' ? { file: source.file, line: element.line } : undefined)
  const relocation = childOf(childOf(root, 'distributionManagement'), 'relocation')
  return {
    origin,
    group: valueAt(root, 'groupId'),
    artifact: valueAt(root, 'artifactId'),
    version: valueAt(root, 'version'),
    packaging: valueAt(root, 'packaging') ?? 'jar',
    name: valueAt(root, 'name'),
    parent: parentOf(root, place),
    ...baseOf(root, place),
    profiles: listOf(root, 'profiles', 'profile').map((profile) => ({
      ...baseOf(profile, place),
      id: valueAt(profile, 'id') ?? 'default',
      activation: activationOf(childOf(profile, 'activation')),
    })),
    licences: listOf(root, 'licenses', 'license').flatMap((licence) => valueAt(licence, 'name') ?? []),
    relocation: relocation && {
      group: valueAt(relocation, 'groupId'),
      artifact: valueAt(relocation, 'artifactId'),
      version: valueAt(relocation, 'version'),
    },
    mixins: listOf(root, 'mixins', 'mixin').map((each) => ({ path: mixinOf(each), place: place(each) })),
    discoversSubprojects: discoversSubprojects(root, source.text),
    isMarkedForGradle: source.text.includes(GRADLE_MARK),
  }
}

const SINCE_4_1 = /^4\.(?!0)\d/
const NAMESPACE_SINCE_4_1 = /<project\b[^>]*maven\.apache\.org\/POM\/4\.(?!0)\d/

/** Of a project that collects others and lists none. */
function discoversSubprojects(root: XmlElement, text: string): boolean {
  if (textOf(root, 'packaging') !== 'pom' || ['modules', 'subprojects'].some((name) => childOf(root, name)))
    return false
  return SINCE_4_1.test(textOf(root, 'modelVersion') ?? '') || NAMESPACE_SINCE_4_1.test(text.slice(0, 5_000))
}

function mixinOf(element: XmlElement): string {
  return coordinatesOf(element) || (valueAt(element, 'relativePath') ?? 'mixin')
}

/** The elements below a POM's plugins that have one of these names and coordinates. */
function inPlugins(element: XmlElement, names: readonly string[]): XmlElement[] {
  const open = [...listOf(childOf(element, 'build'), 'plugins', 'plugin')]
  const found: XmlElement[] = []
  for (const each of open) {
    if (names.includes(each.name)) found.push(each)
    else open.push(...each.children)
  }
  return found.filter((each) => childOf(each, 'artifactId') !== undefined)
}

function coordinatesOf(element: XmlElement): string {
  return ['groupId', 'artifactId', 'version'].flatMap((name) => valueAt(element, name) ?? []).join(':')
}

type PlaceOf = (element: XmlElement) => Place | undefined

function baseOf(element: XmlElement, place: PlaceOf): PomBase {
  const properties = childOf(element, 'properties')?.children ?? []
  const managed = childOf(element, 'dependencyManagement')
  return {
    properties: new Map(properties.map(({ name, text }) => [name, text])),
    dependencies: listOf(element, 'dependencies', 'dependency').map((each) => dependencyOf(each, place)),
    managed: listOf(managed, 'dependencies', 'dependency').map((each) => dependencyOf(each, place)),
    repositories: listOf(element, 'repositories', 'repository').flatMap((repository) => {
      const url = valueAt(repository, 'url')
      return url === undefined ? [] : [{ id: valueAt(repository, 'id') ?? url, url }]
    }),
    // Model version 4.1.0 calls modules subprojects.
    modules: [...listOf(element, 'modules', 'module'), ...listOf(element, 'subprojects', 'subproject')].map((each) => ({
      path: each.text,
      place: place(each),
    })),
    copied: inPlugins(element, ['artifactItem']).map((each) => ({ path: coordinatesOf(each), place: place(each) })),
    processors: inPlugins(element, ['path', 'annotationProcessorPath']).map(coordinatesOf),
  }
}

function parentOf(root: XmlElement, place: PlaceOf): ParentReference | undefined {
  const parent = childOf(root, 'parent')
  if (parent === undefined) return undefined
  return {
    group: valueAt(parent, 'groupId') ?? '',
    artifact: valueAt(parent, 'artifactId') ?? '',
    version: valueAt(parent, 'version') ?? '',
    place: place(parent),
  }
}

function dependencyOf(element: XmlElement, place: PlaceOf): PomDependency {
  return {
    group: valueAt(element, 'groupId') ?? '',
    artifact: valueAt(element, 'artifactId') ?? '',
    version: valueAt(element, 'version'),
    type: valueAt(element, 'type') ?? 'jar',
    classifier: valueAt(element, 'classifier'),
    scope: valueAt(element, 'scope'),
    optional: valueAt(element, 'optional'),
    exclusions: listOf(element, 'exclusions', 'exclusion').map((exclusion) => ({
      group: valueAt(exclusion, 'groupId') ?? '',
      artifact: valueAt(exclusion, 'artifactId') ?? '',
    })),
    place: place(element),
  }
}

function activationOf(element: XmlElement | undefined): Activation {
  const os = childOf(element, 'os')
  const property = childOf(element, 'property')
  return {
    byDefault: valueAt(element, 'activeByDefault')?.toLowerCase() === 'true',
    jdk: valueAt(element, 'jdk'),
    os: os && {
      name: valueAt(os, 'name'),
      family: valueAt(os, 'family'),
      arch: valueAt(os, 'arch'),
      version: valueAt(os, 'version'),
    },
    property: property && { name: valueAt(property, 'name') ?? '', value: valueAt(property, 'value') },
    asksForFile: childOf(element, 'file') !== undefined,
  }
}

/** Longer text can only be an attempt to be expensive; no part of coordinates comes near it. */
function valueAt(element: XmlElement | undefined, name: string): string | undefined {
  return textOf(element, name)?.slice(0, MAX_VALUE_CHARACTERS)
}

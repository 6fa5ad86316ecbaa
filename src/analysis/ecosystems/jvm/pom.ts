import { shorten } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { childOf, listOf, parseXml, textOf, type XmlElement, type XmlSource } from '#analysis/documents/xml.ts'
import { refuseMalformed } from './strict-pom.ts'

/** A position in the project's files; `undefined` for repository content. */
export interface SourcePosition {
  readonly file: 'target' | number
  readonly line: number
}

export interface Exclusion {
  /** `*` for any. */
  readonly group: string
  readonly artifact: string
}

/** A dependency as written, with expressions. */
export interface PomDependency {
  readonly group: string
  readonly artifact: string
  readonly version: string | undefined
  readonly type: string
  readonly classifier: string | undefined
  readonly scope: string | undefined
  readonly optional: string | undefined
  readonly exclusions: readonly Exclusion[]
  readonly place: SourcePosition | undefined
}

export interface ParentReference {
  readonly group: string
  readonly artifact: string
  readonly version: string
  /** The path to its POM or folder. */
  readonly relativePath: string | undefined
  readonly place: SourcePosition | undefined
}

/** The members that a profile can change. */
export interface PomBase {
  readonly properties: ReadonlyMap<string, string>
  readonly dependencies: readonly PomDependency[]
  readonly managed: readonly PomDependency[]
  readonly repositories: readonly PomRepository[]
  readonly modules: readonly PomModule[]
  /** Coordinates of packages that plugins copy or unpack (`artifactItem` of maven-dependency-plugin). */
  readonly copied: readonly PomModule[]
  /** Coordinates of packages that only the compiler runs (`annotationProcessorPaths`). */
  readonly processors: readonly string[]
}

export interface PomRepository {
  readonly id: string
  readonly url: string
}

export interface PomModule {
  readonly path: string
  readonly place: SourcePosition | undefined
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
  /** True if the presence or absence of a file is a condition. */
  readonly asksForFile: boolean
}

export interface OsActivation {
  readonly name: string | undefined
  readonly family: string | undefined
  readonly arch: string | undefined
  readonly version: string | undefined
}

/** The members of a POM that affect resolution, as written. */
export interface Pom extends PomBase {
  readonly origin: Origin
  readonly group: string | undefined
  readonly artifact: string | undefined
  readonly version: string | undefined
  readonly packaging: string
  readonly name: string | undefined
  readonly parent: ParentReference | undefined
  readonly profiles: readonly PomProfile[]
  readonly licenses: readonly string[]
  readonly relocation: Relocation | undefined
  /** POMs mixed in since model version 4.2.0, by coordinates or paths; not read. */
  readonly mixins: readonly PomModule[]
  /** Extensions of the build, as `group:artifact`. */
  readonly extensions: readonly PomModule[]
  /** True if Maven looks for subprojects in the folders below, since model version 4.1.0. */
  readonly discoversSubprojects: boolean
  /** True if the POM refers Gradle to its module metadata. */
  readonly isMarkedForGradle: boolean
}

/** New coordinates; missing parts stay unchanged. */
export interface Relocation {
  readonly group: string | undefined
  readonly artifact: string | undefined
  readonly version: string | undefined
}

/** Sent with the project, or published. */
export type Origin = 'project' | 'repository'

const MAX_VALUE_CHARACTERS = 2_000
/** The marker comment ("Publishing Gradle Module Metadata"). */
const GRADLE_MARK = 'do_not_remove: published-with-gradle-metadata'

/**
 * Parses a POM of model version 4.0.0 (Maven's POM reference), trimming values as Maven does. Does not read plugins and
 * their dependencies, reporting and `systemPath`.
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
    licenses: listOf(root, 'licenses', 'license').flatMap((license) => valueAt(license, 'name') ?? []),
    relocation: relocation && {
      group: valueAt(relocation, 'groupId'),
      artifact: valueAt(relocation, 'artifactId'),
      version: valueAt(relocation, 'version'),
    },
    mixins: listOf(root, 'mixins', 'mixin').map((element) => ({ path: mixinOf(element), place: place(element) })),
    extensions: listOf(childOf(root, 'build'), 'extensions', 'extension').map((element) => ({
      path: `${valueAt(element, 'groupId')}:${valueAt(element, 'artifactId')}`,
      place: place(element),
    })),
    discoversSubprojects: discoversSubprojects(root, source.text),
    isMarkedForGradle: source.text.includes(GRADLE_MARK),
  }
}

const SINCE_4_1 = /^4\.(?!0)\d/
const NAMESPACE_SINCE_4_1 = /<(?:[\w.-]+:)?project\b[^>]*maven\.apache\.org\/POM\/4\.(?!0)\d/

/** Returns true for an aggregator project without a list of subprojects. */
function discoversSubprojects(root: XmlElement, text: string): boolean {
  if (textOf(root, 'packaging') !== 'pom' || ['modules', 'subprojects'].some((name) => childOf(root, name)))
    return false
  return SINCE_4_1.test(textOf(root, 'modelVersion') ?? '') || NAMESPACE_SINCE_4_1.test(text.slice(0, 5_000))
}

function mixinOf(element: XmlElement): string {
  return coordinatesOf(element) || (valueAt(element, 'relativePath') ?? 'mixin')
}

/** Returns elements below a POM's plugins with one of these names and coordinates. */
function inPlugins(element: XmlElement, names: readonly string[]): XmlElement[] {
  const open = [...listOf(childOf(element, 'build'), 'plugins', 'plugin')]
  const elements: XmlElement[] = []
  for (const element of open) {
    if (names.includes(element.name)) elements.push(element)
    else open.push(...element.children)
  }
  return elements.filter((element) => childOf(element, 'artifactId') !== undefined)
}

function coordinatesOf(element: XmlElement): string {
  return ['groupId', 'artifactId', 'version'].flatMap((name) => valueAt(element, name) ?? []).join(':')
}

type PlaceOf = (element: XmlElement) => SourcePosition | undefined

function baseOf(element: XmlElement, place: PlaceOf): PomBase {
  const properties = childOf(element, 'properties')?.children ?? []
  const managed = childOf(element, 'dependencyManagement')
  return {
    properties: new Map(properties.map(({ name, text }) => [name, text])),
    dependencies: listOf(element, 'dependencies', 'dependency').map((element) => dependencyOf(element, place)),
    managed: listOf(managed, 'dependencies', 'dependency').map((element) => dependencyOf(element, place)),
    repositories: listOf(element, 'repositories', 'repository').flatMap((repository) => {
      const url = valueAt(repository, 'url')
      return url === undefined ? [] : [{ id: valueAt(repository, 'id') ?? url, url }]
    }),
    // Model version 4.1.0 calls modules subprojects.
    modules: [...listOf(element, 'modules', 'module'), ...listOf(element, 'subprojects', 'subproject')].map(
      (element) => ({
        path: element.text,
        place: place(element),
      }),
    ),
    copied: inPlugins(element, ['artifactItem']).map((element) => ({
      path: coordinatesOf(element),
      place: place(element),
    })),
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
    relativePath: valueAt(parent, 'relativePath'),
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

/** Drops overlong text, which is never a valid coordinate and could be expensive. */
function valueAt(element: XmlElement | undefined, name: string): string | undefined {
  return textOf(element, name)?.slice(0, MAX_VALUE_CHARACTERS)
}

import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type {
  MavenArtifact,
  MavenCoordinates,
  ModuleDependency,
  ModuleMetadata,
  ModuleVariant,
  ModuleVersion,
} from '#analysis/registries/maven.ts'

type Json = Readonly<Record<string, unknown>>

/** Far beyond the largest published ones, which list dozens of platforms. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_ENTRIES = 50_000
const MAX_CHARACTERS = 1_000
const CATEGORY = 'org.gradle.category'

/**
 * What resolution needs of a `.module` file (Gradle Module Metadata 1.1). Whatever has the wrong type is left out, except
 * that a dependency is never lost: without a name it is one that nothing can be found for. Not kept: files, documentation.
 */
export function parseModuleMetadata(document: Buffer): ModuleMetadata {
  if (document.length > MAX_BYTES) throw refusal('that is too large')
  const root = parseObject(document)
  const format = root['formatVersion']
  if (typeof format !== 'string' || !/^[01]\.\d+$/.test(format)) throw refusal('of a form that is not known')
  const variants = objects(root['variants'])
  const entries = variants.flatMap((each) => [
    ...objects(each['dependencies']),
    ...objects(each['dependencyConstraints']),
  ])
  if (variants.length + entries.length > MAX_ENTRIES) throw refusal('that lists too much')
  return { variants: variants.map(toVariant).filter(({ attributes }) => attributes[CATEGORY] !== 'documentation') }
}

function parseObject(document: Buffer): Json {
  let parsed: unknown
  try {
    parsed = JSON.parse(document.toString('utf8'))
  } catch {
    throw refusal('that is not JSON')
  }
  if (isObject(parsed)) return parsed
  throw refusal('that is no document of it')
}

function refusal(what: string): RegistryUnreachable {
  return new RegistryUnreachable(`the repository sent Gradle metadata ${what}`)
}

function toVariant(variant: Json): ModuleVariant {
  const place = variant['available-at']
  return {
    name: textOf(variant['name']) ?? '',
    attributes: attributesOf(variant['attributes']),
    capabilities: capabilitiesOf(variant['capabilities']),
    ...(isObject(place) && { availableAt: toCoordinates(place) }),
    dependencies: objects(variant['dependencies']).map(toDependency),
    constraints: objects(variant['dependencyConstraints']).map(toDependency),
  }
}

function toCoordinates(place: Json): MavenCoordinates {
  return { ...toArtifact(place), version: textOf(place['version']) ?? '' }
}

function toArtifact(module: Json): MavenArtifact {
  return { group: textOf(module['group']) ?? '', artifact: textOf(module['module']) ?? '' }
}

function toDependency(dependency: Json): ModuleDependency {
  return {
    ...toArtifact(dependency),
    version: toVersion(dependency['version']),
    exclusions: objects(dependency['excludes']).map((each) => ({
      group: textOf(each['group']) ?? '*',
      artifact: textOf(each['module']) ?? '*',
    })),
    attributes: attributesOf(dependency['attributes']),
    capabilities: capabilitiesOf(dependency['requestedCapabilities']),
    endorsesStrict: dependency['endorseStrictVersions'] === true,
  }
}

function toVersion(version: unknown): ModuleVersion {
  if (!isObject(version)) return { rejects: [] }
  const [requires, strictly, prefers] = ['requires', 'strictly', 'prefers'].map((key) => textOf(version[key]))
  const rejects = version['rejects']
  return {
    ...(requires && { requires }),
    ...(strictly && { strictly }),
    ...(prefers && { prefers }),
    rejects: Array.isArray(rejects) ? rejects.flatMap((each) => textOf(each) ?? []) : [],
  }
}

function attributesOf(value: unknown): Record<string, string> {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const isPlain = ['string', 'number', 'boolean'].includes(typeof each)
      return isPlain && name.length <= MAX_CHARACTERS ? [[name, `${each}`.slice(0, MAX_CHARACTERS)]] : []
    }),
  )
}

function capabilitiesOf(value: unknown): string[] {
  return objects(value).map((each) => `${textOf(each['group']) ?? ''}:${textOf(each['name']) ?? ''}`)
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Longer text can only be an attempt to be expensive. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : undefined
}

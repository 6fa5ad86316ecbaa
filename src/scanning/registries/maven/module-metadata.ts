import { isObject, type JsonObject } from '#analysis/documents/json-document.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type {
  MavenArtifact,
  MavenCoordinates,
  ModuleDependency,
  ModuleMetadata,
  ModuleVariant,
  ModuleVersion,
} from '#analysis/registries/maven.ts'

/** Far beyond the largest published ones, which list dozens of platforms. */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_ENTRIES = 50_000
const MAX_CHARACTERS = 1_000
const CATEGORY = 'org.gradle.category'

/**
 * Parses the parts of a `.module` file that resolution needs (Gradle Module Metadata 1.1). A member of the wrong type
 * makes it unusable, as for Gradle, since it might hide a dependency; a dependency without a name cannot be resolved.
 * Drops files and documentation.
 */
export function parseModuleMetadata(document: Buffer): ModuleMetadata {
  if (document.length > MAX_BYTES) throw refusal('that is too large')
  const root = parseObject(document)
  const format = root['formatVersion']
  if (typeof format !== 'string' || !/^[01]\.\d+$/.test(format)) throw refusal('of a form that is not known')
  const variants = objects(root['variants'])
  const entries = variants.flatMap((variant) => [
    ...objects(variant['dependencies']),
    ...objects(variant['dependencyConstraints']),
  ])
  if (variants.length + entries.length > MAX_ENTRIES) throw refusal('that lists too much')
  return { variants: variants.map(toVariant).filter(({ attributes }) => attributes[CATEGORY] !== 'documentation') }
}

function parseObject(document: Buffer): JsonObject {
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

function toVariant(variant: JsonObject): ModuleVariant {
  const place = variant['available-at']
  return {
    name: textOf(variant['name']) ?? '',
    attributes: attributesOf(variant['attributes']),
    capabilities: capabilitiesOf(variant['capabilities']),
    ...(place !== undefined && { availableAt: toCoordinates(objectOf(place)) }),
    dependencies: objects(variant['dependencies']).map(toDependency),
    constraints: objects(variant['dependencyConstraints']).map(toDependency),
  }
}

function toCoordinates(place: JsonObject): MavenCoordinates {
  return { ...toArtifact(place), version: textOf(place['version']) ?? '' }
}

function toArtifact(module: JsonObject): MavenArtifact {
  return { group: textOf(module['group']) ?? '', artifact: textOf(module['module']) ?? '' }
}

function toDependency(dependency: JsonObject): ModuleDependency {
  return {
    ...toArtifact(dependency),
    version: toVersion(dependency['version']),
    exclusions: objects(dependency['excludes']).map((readonly) => ({
      group: textOf(readonly['group']) ?? '*',
      artifact: textOf(readonly['module']) ?? '*',
    })),
    attributes: attributesOf(dependency['attributes']),
    capabilities: capabilitiesOf(dependency['requestedCapabilities']),
    endorsesStrict: dependency['endorseStrictVersions'] === true,
  }
}

function toVersion(value: unknown): ModuleVersion {
  const version = objectOf(value ?? {})
  const [requires, strictly, prefers] = ['requires', 'strictly', 'prefers'].map((key) => textOf(version[key]))
  return {
    ...(requires && { requires }),
    ...(strictly && { strictly }),
    ...(prefers && { prefers }),
    rejects: listOf(version['rejects']).flatMap((selector) => textOf(selector) ?? []),
  }
}

function attributesOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(value ?? {})).map(([name, value]) => {
      const isPlain = typeof value === 'number' || typeof value === 'boolean'
      return [textOf(name), isPlain ? `${value}` : (textOf(value) ?? '')]
    }),
  )
}

function capabilitiesOf(value: unknown): string[] {
  return objects(value).map((readonly) => `${textOf(readonly['group']) ?? ''}:${textOf(readonly['name']) ?? ''}`)
}

function objects(value: unknown): JsonObject[] {
  return listOf(value).map(objectOf)
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value
  throw refusal('with something else where a list belongs')
}

function objectOf(value: unknown): JsonObject {
  if (isObject(value)) return value
  throw refusal('with something else where an object belongs')
}

/** Returns text. Throws for text above the limit, which can only be an attack. */
function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw refusal('with something else where text belongs')
  if (value.length > MAX_CHARACTERS) throw refusal('with a text that is too long')
  return value
}

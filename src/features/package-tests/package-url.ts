import type { Package } from '#analysis/dependency-graph.ts'
import type { Registry } from '#analysis/ecosystems/ecosystem.ts'

const kinds: Readonly<Record<Registry, string>> = {
  npm: 'npm',
  PyPI: 'pypi',
  RubyGems: 'gem',
  Maven: 'maven',
  Go: 'golang',
}

/**
 * Writes a package URL (ECMA-427, with the rules of its types). npm and Go tell `JSONStream` from `jsonstream`, so both
 * keep their case (purl-spec #872); PyPI names and versions are lower-case.
 */
export function toPackageUrl(registry: Registry, { name, version }: Package): string {
  const written = registry === 'PyPI' ? version.toLowerCase() : version
  const at = version === '' ? '' : `@${encode(written)}`
  return `pkg:${kinds[registry]}/${partsOf(registry, name).map(encode).join('/')}${at}`
}

/** Namespace and name; what the specification leaves out is the name alone. */
export function partsOf(registry: Registry, name: string): string[] {
  if (registry === 'Maven') return name.split(':')
  if (registry === 'PyPI') return [name.toLowerCase().replace(/[-_.]+/g, '-')]
  return registry === 'npm' || registry === 'Go' ? name.split('/') : [name]
}

/** Leaves letters, digits, `.`, `-`, `_`, `~` and the colon as they are. */
function encode(text: string): string {
  const escaped = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return escaped.replaceAll('%3A', ':')
}

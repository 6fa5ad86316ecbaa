import type { Package } from '#analysis/dependency-graph.ts'
import type { Registry } from '#analysis/ecosystems/ecosystem.ts'

const kinds: Readonly<Record<Registry, string>> = {
  npm: 'npm',
  PyPI: 'pypi',
  RubyGems: 'gem',
  Maven: 'maven',
  Go: 'golang',
}

/** A package as a package URL (the purl specification, ECMA-427, with the rules of its types). */
export function toPackageUrl(registry: Registry, { name, version }: Package): string {
  const at = version === '' ? '' : `@${encode(version)}`
  return `pkg:${kinds[registry]}/${partsOf(registry, name).map(encode).join('/')}${at}`
}

/** Namespace and name; what the specification leaves out is the name alone. */
export function partsOf(registry: Registry, name: string): string[] {
  if (registry === 'Maven') return name.split(':')
  if (registry === 'PyPI') return [name.toLowerCase().replace(/[-_.]+/g, '-')]
  if (registry === 'Go') return name.toLowerCase().split('/')
  return registry === 'npm' ? name.toLowerCase().split('/') : [name]
}

/** The colon stays as it is. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':')
}

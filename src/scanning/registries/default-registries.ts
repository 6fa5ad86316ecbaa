import { getDefaultRegistry } from 'purl/types'

/** The public registry of a package-URL type, from the specification's own data (no registry is named in our source). */
export function getDefaultRegistryUrl(type: 'npm' | 'maven' | 'pypi' | 'gem'): string {
  const url = getDefaultRegistry(type)
  if (url === null) throw new Error(`no default registry is known for ${type}`)
  return url
}

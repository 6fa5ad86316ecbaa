const MAX_CHARACTERS = 214
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~!'()*-]*$/i

/**
 * Returns true for names that a package in the registry may have. Follows npm's validate-npm-package-name for old
 * packages (capitals, a few signs), and rejects names that would change a URL.
 */
export function isNpmPackageName(name: string): boolean {
  return name.length <= MAX_CHARACTERS && NAME.test(name)
}

/** Returns the name as one segment of a registry URL: only the slash after a scope is percent-encoded. */
export function toPathSegment(name: string): string {
  return name.startsWith('@') ? `@${encodeURIComponent(name.slice(1))}` : encodeURIComponent(name)
}

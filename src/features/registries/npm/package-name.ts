const MAX_CHARACTERS = 214
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~!'()*-]*$/i

/**
 * Whether the registry could know this name. Follows npm's validate-npm-package-name in what old packages may have
 * (capitals, a few signs), and lets nothing through that would change the URL it is put into.
 */
export function isNpmPackageName(name: string): boolean {
  return name.length <= MAX_CHARACTERS && NAME.test(name)
}

/** The name as one segment of a registry URL: the slash of a scope is coded, everything else stays. */
export function toPathSegment(name: string): string {
  return name.startsWith('@') ? `@${encodeURIComponent(name.slice(1))}` : encodeURIComponent(name)
}

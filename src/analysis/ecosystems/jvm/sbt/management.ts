/** The effect of dependency management in published POMs. */
export interface ManagementRules {
  /** A package's managed versions fill gaps of its own dependencies, or override all of them. */
  readonly reach: 'gaps' | 'own'
  /** Managed exclusions count beside those of the dependency; otherwise only where the dependency has none. */
  readonly exclusions: 'added' | 'inherited'
}

/**
 * Returns the rules of the resolver in an sbt version: Ivy before 1.3, then Coursier. 1.10.6 is the first with Coursier
 * 2.1.19, which adds exclusions. An unknown version counts as new.
 */
export function managementRulesOf(sbtVersion = '2'): ManagementRules {
  const [major = 1, minor = 0, patch = 0] = sbtVersion.split(/[.-]/).map(Number)
  if (major < 1 || (major === 1 && minor < 3)) return { reach: 'gaps', exclusions: 'inherited' }
  const isOlder = major === 1 && (minor < 10 || (minor === 10 && patch < 6))
  return { reach: 'own', exclusions: isOlder ? 'inherited' : 'added' }
}

/** Returns true for the only sbt version in which a package's management applies to everything below it. */
export function managesEverythingBelow(sbtVersion: string | undefined): boolean {
  return sbtVersion === '1.10.6'
}

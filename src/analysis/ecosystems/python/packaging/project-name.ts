const NORMALIZED = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Returns the normalized name of a project or an extra (PEP 503, PEP 685). */
export function toProjectName(name: string): string {
  // Lockfiles contain thousands of normalized names.
  return NORMALIZED.test(name) ? name : name.toLowerCase().replace(/[-_.]+/g, '-')
}

/** Returns true for valid project names (PEP 508) that do not change a URL's path. */
export function isProjectName(name: string): boolean {
  return name.length <= 200 && /^[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9_])?$/.test(name)
}

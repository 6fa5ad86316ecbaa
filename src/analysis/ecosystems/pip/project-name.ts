/** The one spelling of a project's or an extra's name (PEP 503, PEP 685). */
export function toProjectName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

/** Names that a project can have (PEP 508), and none that would change a URL's path. */
export function isProjectName(name: string): boolean {
  return name.length <= 200 && /^[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9_])?$/.test(name)
}

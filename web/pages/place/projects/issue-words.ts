import type { IssuePath, ProjectIssue } from '../../../api/project-issues.ts'

/** Returns the key of a row: a vulnerability in several packages has several rows. */
export function keyOf({ id, pkgName }: ProjectIssue): string {
  return `${id} ${pkgName}`
}

export function namesOf({ id, issueData }: ProjectIssue): string {
  return [id, ...(issueData.identifiers?.CVE ?? [])]
    .filter((name, index, all) => all.indexOf(name) === index)
    .join(' · ')
}

/** Describes an issue's fix in a sentence. */
export function describeFix({ issueType, fixInfo, issueData }: ProjectIssue): string {
  if (issueType === 'license') return issueData.instructions?.join(' ') || 'Ask the owner of the license policy'
  const { nearestFixedInVersion: nearest, recommendedVersion: recommended, pinTo } = fixInfo
  if (pinTo !== undefined) return `Pin it at ${pinTo}`
  if (nearest === '')
    return fixInfo.isUpgradable ? 'Upgrading direct dependencies fixes it' : 'No fixed version is known'
  if (recommended === undefined && !fixInfo.isUpgradable) return `Fixed in ${nearest}; no release without known issues`
  const advised = recommended === undefined || recommended === nearest ? '' : `, ${recommended} recommended`
  const fixed = `Fixed in ${nearest}${advised}`
  if (fixInfo.isUpgradable) return `${fixed}; upgrade direct dependencies`
  return fixInfo.isPartiallyFixable ? `${fixed}; upgrading fixes some paths` : `${fixed}; use an override`
}

export function pathText(path: IssuePath): string {
  return path.map(({ name, version }) => `${name}@${version}`).join(' › ')
}

/** Converts a path to the format of ignores, which matches all versions. */
export function toIgnorePath(path: IssuePath): string {
  return path.map(({ name }) => name).join(' > ')
}

export function describePathFix(path: IssuePath): string | undefined {
  const [direct] = path
  return direct?.fixVersion === undefined ? undefined : `Upgrade ${direct.name} to ${direct.fixVersion}`
}

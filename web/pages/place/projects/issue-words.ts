import type { IssuePath, ProjectIssue } from '../../../api/resources.ts'
import { upperFirst } from '../../../ui/words.ts'

/** Returns the key of a row: a vulnerability in several packages has several rows. */
export function keyOf({ id, pkgName }: ProjectIssue): string {
  return `${id} ${pkgName}`
}

export function namesOf({ id, issueData }: ProjectIssue): string {
  return [id, ...(issueData.identifiers?.CVE ?? [])]
    .filter((name, index, all) => all.indexOf(name) === index)
    .join(' · ')
}

export function describeFix({ issueType, fixInfo, issueData }: ProjectIssue): string {
  if (issueType === 'license') return issueData.instructions?.join(' ') || 'Ask the owner of the license policy'
  return upperFirst(fixInfo.advice)
}

export function pathText(path: IssuePath): string {
  return path.map(({ name, version }) => `${name}@${version}`).join(' › ')
}

/** Converts a path to the format of ignores, which matches all versions. */
export function toIgnorePath(path: IssuePath): string {
  return path.map(({ name }) => name).join(' > ')
}

import type { VersionScheme } from '#analysis/versions/version-scheme.ts'
import { managerOfPlace, type ReadIssues } from './project-issues.ts'

export interface Remediation {
  /** By direct dependency, as `name@version`. */
  readonly upgrade: Record<string, { upgradeTo: string; upgrades: string[]; vulns: string[] }>
  readonly patch: Record<never, never>
  /** By package to pin, as `name@version`. */
  readonly pin: Record<string, { upgradeTo: string; vulns: string[]; isTransitive: boolean }>
  /** Issues that neither fixes, by package as `name@version`: no version without known issues exists. */
  readonly unresolved: Record<string, { vulns: string[] }>
}

export const nothingToDo: Remediation = { upgrade: {}, patch: {}, pin: {}, unresolved: {} }

/**
 * Computes the remediation of open issues from safe advice (safe-advice.ts). Of several upgrades of one dependency, the
 * highest includes the others.
 */
export function toRemediation({ issues, graph, manager }: ReadIssues): Remediation {
  const upgrade: Remediation['upgrade'] = {}
  const pin: Remediation['pin'] = {}
  const unresolved: Remediation['unresolved'] = {}
  const direct = new Set(graph.nodes[0]?.edges.map((node) => graph.nodes[node]!.package))
  for (const { id, type, isIgnored, places } of issues) {
    if (isIgnored || type === 'license') continue
    for (const place of places) {
      const { name, version, advice, pinTo, package: index } = place
      const { versions } = managerOfPlace({ manager }, place)
      const text = `${name}@${version}`
      for (const [at, from] of (advice?.upgradedPaths ?? []).entries()) {
        const [current, upgraded] = [from[0]!, advice!.upgradePaths[at]![0]!]
        // Without a change of the direct dependency, the next resolution applies the fix.
        if (current === upgraded) continue
        const existing = upgrade[current] ?? { upgradeTo: upgraded, upgrades: [], vulns: [] }
        upgrade[current] = {
          upgradeTo: later(existing.upgradeTo, upgraded, versions),
          upgrades: added(existing.upgrades, text),
          vulns: added(existing.vulns, id),
        }
      }
      if (pinTo !== undefined) {
        const existing = pin[text] ?? { upgradeTo: `${name}@${pinTo}`, vulns: [], isTransitive: !direct.has(index) }
        pin[text] = {
          ...existing,
          upgradeTo: later(existing.upgradeTo, `${name}@${pinTo}`, versions),
          vulns: added(existing.vulns, id),
        }
      } else if (!advice?.isUpgradable) {
        unresolved[text] = { vulns: added(unresolved[text]?.vulns ?? [], id) }
      }
    }
  }
  return { upgrade, patch: {}, pin, unresolved }
}

function later(a: string, b: string, { compare }: VersionScheme): string {
  return compare(versionOf(a), versionOf(b)) >= 0 ? a : b
}

function versionOf(text: string): string {
  return text.slice(text.lastIndexOf('@') + 1)
}

function added(list: readonly string[], text: string): string[] {
  return list.includes(text) ? [...list] : [...list, text]
}

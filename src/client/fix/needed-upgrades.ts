import type { Upgrade } from '#analysis/fixes/edit.ts'
import type { LicenseIssue, Vulnerability } from '#scanning/results/test-result.ts'
import type { CompareVersions } from '../best-upgrades.ts'
import { describeFix, splitName, toUpgrade } from '../findings.ts'
import type { TestedProject } from '../test-document.ts'

/** An issue of a package, with the upgrades that fix it on every path. */
export interface NeededFix {
  readonly id: string
  readonly package: string
  readonly version: string
  /** Names of the upgraded packages, as in `upgrades`. */
  readonly needs: readonly string[]
  /** The reason why no upgrade of a declared package fixes the issue on at least one path. */
  readonly problem: string | undefined
}

export interface NeededUpgrades {
  /** The highest version that some issue needs, by `name@version` of the upgraded package. */
  readonly upgrades: ReadonlyMap<string, Upgrade>
  readonly issues: readonly NeededFix[]
}

type Issue = Vulnerability | LicenseIssue
type Need = { readonly key: string; readonly upgrade: Upgrade } | { readonly problem: string }

/** Collects the verified upgrades of a tested project. */
export function listNeededUpgrades(project: TestedProject, compare: CompareVersions): NeededUpgrades {
  const upgrades = new Map<string, Upgrade>()
  const found = project.result?.issues
  const all: Issue[] = [...(found?.vulnerabilities ?? []), ...(found?.licenses ?? [])]
  const groups = Map.groupBy(all, ({ id, package: name, version }) => JSON.stringify([id, name, version]))
  const issues = [...groups.values()].map((group): NeededFix => {
    const { id, package: name, version } = group[0]!
    const needs = needsOf(group)
    for (const need of needs) if ('key' in need) keep(need.key, need.upgrade)
    return {
      id,
      package: name,
      version,
      needs: [...new Set(needs.flatMap((each) => ('key' in each ? [each.key] : [])))],
      problem: needs.flatMap((each) => ('problem' in each ? [each.problem] : []))[0],
    }
  })
  return { upgrades, issues }

  function keep(key: string, upgrade: Upgrade): void {
    const known = upgrades.get(key)
    if (known === undefined || compare(project.packageManager, known.to, upgrade.to) < 0) upgrades.set(key, upgrade)
  }
}

/** Returns the needed changes: one pin fixes the issue on all paths, upgrades are needed for each path. */
function needsOf(group: readonly Issue[]): Need[] {
  const pinned = group.find((each): each is Vulnerability => each.type === 'vuln' && each.isPinnable)
  if (pinned?.pin !== undefined) return [toNeed(pinned.package, pinned.version, pinned.pin.version)]
  const declared = group.filter((each) => each.from.length === 1 && !SEVERAL_VERSIONS.includes(each.packageManager))
  const ofDeclared = declared.map(needOf)
  return declared.length > 0 && ofDeclared.every((each) => 'key' in each) ? ofDeclared : group.map(needOf)
}

/** Package managers that install several versions of a package. With others, an upgrade affects all paths. */
const SEVERAL_VERSIONS = ['npm', 'yarn', 'pnpm', 'bun']

function needOf(issue: Issue): Need {
  const upgrade = issue.type === 'vuln' ? toUpgrade(issue) : undefined
  if (upgrade === undefined || upgrade.kind !== 'direct') return { problem: describeFix([issue], [upgrade]) }
  const [from, to] = [splitName(upgrade.from), splitName(upgrade.to)]
  return toNeed(from.name, from.version, to.version)
}

function toNeed(name: string, from: string, to: string): Need {
  return { key: `${name}@${from}`, upgrade: { name, from, to } }
}

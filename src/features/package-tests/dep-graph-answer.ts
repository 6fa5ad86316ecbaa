import { type Static, Type } from 'typebox'
import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { writePolicy } from '#analysis/discovery/policy-files/write-policy.ts'
import { nearestFix } from '#analysis/versions/prerelease.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'
import { Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { TestContext } from '#scanning/results/context.ts'
import type { Tested } from '#scanning/results/result.ts'
import { Coverage, type LicenseIssue, ShownPolicy, Vulnerability } from '#scanning/results/test-result.ts'

const described = [
  'id',
  'url',
  'title',
  'description',
  'severity',
  'severityBasis',
  'severityChange',
  'exploitMaturity',
  'isExploited',
  'exploitedSince',
  'exploitDue',
  'epssScore',
  'epssPercentile',
  'semver',
  'patches',
  'CVSSv3',
  'cvssScore',
  'cvssScoreBasis',
  'identifiers',
  'credit',
  'language',
  'packageManager',
  'publicationTime',
  'disclosureTime',
  'fixedIn',
  'references',
  'functions',
] as const

const Named = {
  packageName: Type.String(),
  moduleName: Type.String(),
  mavenModuleName: Type.Optional(Type.Object({ groupId: Type.String(), artifactId: Type.String() })),
}

const VulnerabilityData = Type.Object({ ...Type.Pick(Vulnerability, [...described]).properties, ...Named })

const LicenseData = Type.Object({
  id: Type.String(),
  url: Type.String(),
  title: Type.String(),
  type: Type.Literal('license'),
  severity: Type.String(),
  semver: Type.Object({ vulnerable: Type.Array(Type.String()) }),
  language: Type.String(),
  packageManager: Type.String(),
  license: Type.Union([Type.String(), Type.Null()]),
  instructions: Type.Array(Type.String()),
  ...Named,
})

const IssuesData = Type.Record(Type.String(), Type.Union([VulnerabilityData, LicenseData]))
type IssuesData = Static<typeof IssuesData>

const FixInfo = Type.Object({
  upgradePaths: Type.Array(
    Type.Object({
      path: Type.Array(
        Type.Object({
          name: Type.String(),
          version: Type.String(),
          newVersion: Type.Optional(Type.String()),
          isDropped: Type.Optional(Type.Boolean()),
        }),
        { description: 'Starting with the root of the graph' },
      ),
    }),
  ),
  isPatchable: Type.Boolean(),
  isPinnable: Type.Boolean(),
  nearestFixedInVersion: Type.Optional(Type.String()),
})
type FixInfo = Static<typeof FixInfo>

export const DepGraphResult = Type.Object({
  ok: Type.Boolean(),
  packageManager: Type.String(),
  issuesData: IssuesData,
  issues: Type.Array(
    Type.Object({ pkgName: Type.String(), pkgVersion: Type.String(), issueId: Type.String(), fixInfo: FixInfo }),
  ),
  org: Type.Object({ name: Type.String(), id: Uuid }),
  licensesPolicy: Type.Union([ShownPolicy, Type.Null()]),
  coverage: Coverage,
})

export const AffectedPackagesResult = Type.Object({
  result: Type.Object({
    issuesData: IssuesData,
    affectedPkgs: Type.Record(
      Type.String(),
      Type.Object({
        pkg: Type.Object({ name: Type.String(), version: Type.String() }),
        issues: Type.Record(Type.String(), Type.Object({ issueId: Type.String(), fixInfo: FixInfo })),
      }),
    ),
  }),
  meta: Type.Object({
    org: Type.String(),
    orgId: Uuid,
    isPublic: Type.Boolean(),
    isLicensesEnabled: Type.Boolean(),
    licensesPolicy: Type.Union([ShownPolicy, Type.Null()]),
    policy: Type.String({ description: 'The policy to apply; empty if the client may apply its own policy file' }),
  }),
  coverage: Coverage,
})

nameSchemas({
  GraphVulnerability: VulnerabilityData,
  GraphLicenseIssue: LicenseData,
  GraphIssuesData: IssuesData,
  GraphFixInfo: FixInfo,
  DepGraphResult,
  AffectedPackagesResult,
})

/** One issue of one package, over all paths. */
interface Row {
  readonly name: string
  readonly version: string
  readonly issueId: string
  readonly fixInfo: FixInfo
}

export function toDepGraphResult(tested: Tested, { task, ecosystem }: TestContext): Static<typeof DepGraphResult> {
  const { ok, packageManager, licensesPolicy, coverage } = tested.result
  const { issuesData, rows } = collect(tested, ecosystem.versions)
  return {
    ok,
    packageManager,
    issuesData,
    issues: rows.map(({ name, version, issueId, fixInfo }) => ({
      pkgName: name,
      pkgVersion: version,
      issueId,
      fixInfo,
    })),
    org: { name: task.org.name, id: task.org.id },
    licensesPolicy,
    coverage,
  }
}

export function toAffectedPackages(
  tested: Tested,
  { task, licensePolicy, ecosystem, policy }: TestContext,
): Static<typeof AffectedPackagesResult> {
  const { issuesData, rows } = collect(tested, ecosystem.versions)
  const byPackage = Map.groupBy(rows, ({ name, version }) => `${name}@${version}`)
  const affectedPkgs = [...byPackage].map(([id, own]) => {
    const [{ name, version }] = own as [Row]
    const issues = Object.fromEntries(own.map(({ issueId, fixInfo }) => [issueId, { issueId, fixInfo }]))
    return [id, { pkg: { name, version }, issues }] as const
  })
  const { licensesPolicy, coverage } = tested.result
  return {
    result: { issuesData, affectedPkgs: Object.fromEntries(affectedPkgs) },
    meta: {
      org: task.org.slug ?? task.org.name,
      orgId: task.org.id,
      isPublic: false,
      isLicensesEnabled: licensePolicy !== undefined,
      licensesPolicy,
      // Clients apply this policy, or their own if it is empty.
      policy: policy && (task.policyFiles ?? 'allow') !== 'allow' ? writePolicy(policy.rules) : '',
    },
    coverage,
  }
}

function collect({ result, reading }: Tested, scheme: VersionScheme): { issuesData: IssuesData; rows: Row[] } {
  const data = new Map<string, IssuesData[string]>()
  const rows = new Map<string, Row>()
  const { vulnerabilities, licenses } = result.issues
  for (const issue of [...vulnerabilities, ...licenses]) {
    const issueId = keyFor(issue, data)
    if (!data.has(issueId)) data.set(issueId, toData(issue))
    const { package: name, version } = issue
    const text = JSON.stringify([issueId, version])
    const row = rows.get(text) ?? { name, version, issueId, fixInfo: startFixInfo(issue, scheme) }
    rows.set(text, row)
    if (issue.type === 'vuln' && issue.isUpgradable) {
      row.fixInfo.upgradePaths.push({ path: toPath(issue, reading.graph) })
    }
  }
  return { issuesData: Object.fromEntries(data), rows: [...rows.values()] }
}

/**
 * Returns the key of an issue. If a vulnerability affects several packages, whose data differ, the keys of all but the
 * first contain the package.
 */
function keyFor(
  { id, package: name }: Vulnerability | LicenseIssue,
  data: ReadonlyMap<string, IssuesData[string]>,
): string {
  const existing = data.get(id)
  return existing === undefined || existing.packageName === name ? id : `${id}:${name}`
}

function startFixInfo(issue: Vulnerability | LicenseIssue, scheme: VersionScheme): FixInfo {
  const nearest = issue.type === 'vuln' ? nearestFix(issue.fixedIn, [issue.version], scheme) : undefined
  return {
    upgradePaths: [],
    isPatchable: false,
    isPinnable: issue.type === 'vuln' && issue.isPinnable,
    ...(nearest !== undefined && { nearestFixedInVersion: nearest }),
  }
}

function toPath(
  { from, upgradePath }: Vulnerability,
  { nodes }: DependencyGraph,
): FixInfo['upgradePaths'][number]['path'] {
  const steps = from.map((text, at) => {
    const { name, version } = split(text)
    const after = upgradePath[at]
    if (after === undefined) return { name, version, isDropped: true }
    const { version: newVersion } = split(after)
    return newVersion === version ? { name, version } : { name, version, newVersion }
  })
  return [{ ...nodes[0]!.package }, ...steps]
}

function split(text: string): { name: string; version: string } {
  const at = text.lastIndexOf('@')
  return { name: text.slice(0, at), version: text.slice(at + 1) }
}

function toData(issue: Vulnerability | LicenseIssue): IssuesData[string] {
  const [groupId, artifactId, ...more] = issue.package.split(':')
  const isMaven = issue.packageManager === 'maven' && artifactId !== undefined && more.length === 0
  const names = {
    packageName: issue.package,
    moduleName: issue.package,
    ...(isMaven && { mavenModuleName: { groupId: groupId!, artifactId } }),
  }
  if (issue.type === 'vuln') {
    const members = described.map((member) => [member, issue[member]])
    return { ...(Object.fromEntries(members) as Pick<Vulnerability, (typeof described)[number]>), ...names }
  }
  const { id, url, title, type, severity, semver, language, packageManager, license, instructions } = issue
  return { id, url, title, type, severity, semver, language, packageManager, license, instructions, ...names }
}

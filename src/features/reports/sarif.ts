import { createHash } from 'node:crypto'
import type { ExploitSignals } from '#analysis/advisories/exploit-signals.ts'
import { describeUpgrade, toUpgrade } from '#analysis/findings/describe-fix.ts'
import { version } from '#foundation/product.ts'
import type { Coverage, LicenseIssue, TestResult, Vulnerability } from '#scanning/results/test-result.ts'

const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'note' } as const

/** Set for stored projects: whether this path is ignored, and why. */
interface Mark {
  readonly isIgnored?: boolean
  readonly ignored?: readonly { readonly reason: string }[]
}
type Issue = (Vulnerability | LicenseIssue) & Mark

/** The parts of a result that a log needs; issues of a stored project carry marks. */
export interface SarifInput extends Pick<TestResult, 'coverage' | 'ok' | 'org' | 'dependencyCount'> {
  readonly issues: {
    readonly vulnerabilities: readonly (Vulnerability & Mark)[]
    readonly licenses: readonly (LicenseIssue & Mark)[]
  }
  /** The path of the manifest. */
  readonly file: string | undefined
}

/** Returns a SARIF 2.1.0 log: one rule per issue, and one result per affected package over all its versions. */
export function toSarif(result: SarifInput): object {
  const { coverage, ok, org, dependencyCount } = result
  return toLog([result], { properties: { ok, org: org.id, dependencyCount, coverage } })
}

/** A project of a log. Its path distinguishes its issues from those of other projects. */
export interface SarifProject {
  readonly path: string
  readonly result?: Pick<SarifInput, 'coverage' | 'issues'> | undefined
  /** The reason for having no result. */
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

export interface Untested {
  readonly path: string
  readonly reason: string
}

/** Returns one run for several projects. */
export function toSarifOfProjects({
  projects,
  leftOut,
  outOfScope = [],
}: {
  readonly projects: readonly SarifProject[]
  readonly leftOut: readonly Untested[]
  readonly outOfScope?: readonly Untested[]
}): object {
  const tested = projects.flatMap(({ path, result }) => (result === undefined ? [] : [{ ...result, file: path, path }]))
  const failed = projects.flatMap(({ path, error }) =>
    error === undefined ? [] : [notification(error.code, 'error', `${path}: ${error.message}`)],
  )
  const others = leftOut.map(({ path, reason }) =>
    notification('left-out', 'warning', `${path} was not tested: ${reason}`),
  )
  const outside = outOfScope.map(({ path, reason }) =>
    notification('out-of-scope', 'note', `${path} is not covered: ${reason}`),
  )
  return toLog(tested, {
    notifications: [...failed, ...others, ...outside],
    isSuccessful: projects.length > 0 && failed.length === 0,
  })
}

interface LogProject extends Pick<SarifInput, 'coverage' | 'issues' | 'file'> {
  /** Set in logs of several projects. */
  readonly path?: string
}

interface LogRest {
  readonly notifications?: readonly object[]
  readonly isSuccessful?: boolean
  readonly properties?: object
}

function toLog(
  projects: readonly LogProject[],
  { notifications = [], isSuccessful = true, properties }: LogRest,
): object {
  const rules = new Map<string, { index: number; issue: Issue }>()
  const results = projects.flatMap(({ issues: { vulnerabilities, licenses }, file, path }) => {
    const issues: Issue[] = [...vulnerabilities, ...licenses]
    for (const issue of issues) if (!rules.has(issue.id)) rules.set(issue.id, { index: rules.size, issue })
    const byPackage = Map.groupBy(issues, ({ id, package: name }) => JSON.stringify([id, name]))
    return [...byPackage.values()].map((own) => toResult(own, { ruleIndex: rules.get(own[0]!.id)!.index, file, path }))
  })
  const open = projects.flatMap(({ coverage }) => toNotifications(coverage))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Gatehouse',
            semanticVersion: version,
            rules: [...rules.values()].map(({ issue }) => toRule(issue)),
          },
        },
        results,
        invocations: [{ executionSuccessful: isSuccessful, toolExecutionNotifications: [...open, ...notifications] }],
        ...(properties && { properties }),
      },
    ],
  }
}

function toRule(issue: Issue): object {
  const { id, title, severity, url } = issue
  const help = issue.type === 'vuln' ? issue.description : issue.instructions.join('\n\n')
  const tags = issue.type === 'vuln' ? ['security', ...issue.identifiers.CWE] : ['license']
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: `${title} (${severity})` },
    help: { text: help || title, markdown: help || title },
    helpUri: url,
    defaultConfiguration: { level: levels[severity] },
    properties: {
      tags,
      severity,
      ...(issue.type === 'vuln' && { 'security-severity': issue.cvssScore.toFixed(1) }),
      ...(issue.type === 'vuln' && { cve: issue.identifiers.CVE, exploitMaturity: issue.exploitMaturity }),
      ...(issue.type === 'vuln' && toExploitProperties(issue)),
    },
  }
}

function toExploitProperties({ isExploited, exploitedSince, exploitDue, epssScore, epssPercentile }: ExploitSignals) {
  return { isExploited, exploitedSince, exploitDue, epssScore, epssPercentile }
}

interface ResultPlace {
  readonly ruleIndex: number
  readonly file: string | undefined
  readonly path: string | undefined
}

function toResult(own: readonly Issue[], { ruleIndex, file, path }: ResultPlace): object {
  const [first] = own as [Issue]
  const { id, package: name, severity } = first
  const [place, ...others] = toLocations(own, file)
  const modules = versionsOf(own).map((at) => ({ fullyQualifiedName: `${name}@${at}`, kind: 'module' }))
  return {
    ruleId: id,
    ruleIndex,
    level: levels[severity],
    message: { text: toMessage(own) },
    locations: [{ ...place, logicalLocations: modules }],
    ...(others.length > 0 && { relatedLocations: others.map((location, at) => ({ id: at + 1, ...location })) }),
    partialFingerprints: toFingerprints({ path, id, name }),
    ...toSuppressions(own),
    properties: {
      paths: own.map(({ from }) => from),
      ...(first.type === 'vuln' && {
        upgradePaths: own.flatMap((issue) => (issue.type === 'vuln' ? [issue.upgradePath] : [])),
      }),
    },
  }
}

/** Returns the lines of the direct dependencies; without a known line, only the file. */
function toLocations(own: readonly Issue[], file: string | undefined): object[] {
  const lines = own.flatMap(({ declaration }) =>
    declaration === undefined || /^(?:target|additional file \d+)$/.test(declaration.file) ? [] : [declaration],
  )
  const places = new Map(lines.map((declaration) => [`${declaration.file}:${declaration.line}`, declaration]))
  if (places.size === 0) return file === undefined ? [] : [toPhysical(toUri(file))]
  return [...places.values()].map((place) => toPhysical(toUri(place.file), place.line))
}

function toPhysical(uri: string, startLine?: number): object {
  const region = startLine !== undefined && { region: { startLine } }
  return { physicalLocation: { artifactLocation: { uri }, ...region } }
}

function versionsOf(own: readonly Issue[]): string[] {
  return [...new Set(own.map((issue) => issue.version))]
}

/**
 * Identifies a result by manifest, issue and package, so that its alert survives other lines, versions and paths. Code
 * scanning on GitHub compares only `primaryLocationLineHash`.
 */
function toFingerprints({ path, id, name }: { path: string | undefined; id: string; name: string }): object {
  const [kind, identity] =
    path === undefined
      ? ['issueAndPackage/v1', `${id} ${name}`]
      : ['projectIssueAndPackage/v1', `${path} ${id} ${name}`]
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16)
  return { [kind]: identity, primaryLocationLineHash: `${hash}:1` }
}

function toSuppressions(own: readonly Issue[]): object {
  if (!own.every(({ isIgnored }) => isIgnored)) return {}
  const reasons = new Set(own.flatMap(({ ignored = [] }) => ignored.map(({ reason }) => reason)))
  const justification = [...reasons].filter((reason) => reason !== '').join('\n')
  return { suppressions: [{ kind: 'external', status: 'accepted', ...(justification !== '' && { justification }) }] }
}

function toMessage(own: readonly Issue[]): string {
  const [first] = own as [Issue]
  const { title, package: name, packageManager, from } = first
  const at = versionsOf(own).join(', ')
  const more = own.length === 1 ? '' : ` and ${own.length - 1} more ${own.length === 2 ? 'path' : 'paths'}`
  const upgrade = own.flatMap((issue) => (issue.type === 'vuln' ? (toUpgrade(issue) ?? []) : []))[0]
  const fix = upgrade === undefined ? '' : ` Fix: ${describeUpgrade(upgrade, packageManager)}.`
  return `${title} in ${name}@${at}, through ${from.join(' > ')}${more}.${fix}`
}

/** Returns the first of the files that a test read, without the parenthesized rest of its label. */
export function toFile([label]: readonly string[]): string | undefined {
  return label?.replace(/ \(.*$/, '')
}

/** Returns a path as a relative reference (RFC 3986 §4.2): a colon in its first segment would end a scheme. */
function toUri(path: string): string {
  return encodeURI(path.toWellFormed())
    .replace(/[?#]/g, encodeURIComponent)
    .replace(/^[^/]*/, (first) => first.replaceAll(':', '%3A'))
}

/** Reports untested parts in every log. */
function toNotifications({ unresolved, boundsMet }: Coverage): object[] {
  const open = unresolved.map(({ name, range, code, reason, requiredBy }) =>
    notification(code, 'warning', `${name} ${range}, required by ${requiredBy}, was not tested: ${reason}`),
  )
  const bounds = boundsMet.map((text) => notification('bound-met', 'note', text))
  return [...open, ...bounds]
}

function notification(code: string, level: 'error' | 'warning' | 'note', text: string): object {
  return { descriptor: { id: code }, level, message: { text } }
}

import { version } from '#foundation/product.ts'
import type { Coverage, LicenceIssue, Vulnerability } from './resource.ts'
import type { Tested } from './result.ts'

const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'note' } as const
type Issue = Vulnerability | LicenceIssue

/** A result as a SARIF 2.1.0 log: a rule for each issue, a result for each package that has it. */
export function toSarif({ result, reading }: Tested): object {
  const issues = [...result.issues.vulnerabilities, ...result.issues.licenses]
  const rules = new Map<string, { index: number; issue: Issue }>()
  for (const issue of issues) if (!rules.has(issue.id)) rules.set(issue.id, { index: rules.size, issue })
  const byPackage = Map.groupBy(issues, ({ id, package: name, version: at }) => JSON.stringify([id, name, at]))
  const { coverage, ok, org } = result
  const [file] = reading.filesRead
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
        results: [...byPackage.values()].map((own) => toResult(own, { ruleIndex: rules.get(own[0]!.id)!.index, file })),
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: toNotifications(coverage) }],
        properties: { ok, org: org.id, dependencyCount: result.dependencyCount, coverage },
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
    },
  }
}

function toResult(own: readonly Issue[], { ruleIndex, file }: { ruleIndex: number; file: string | undefined }): object {
  const [first] = own as [Issue]
  const { id, package: name, version: at, severity } = first
  const uri = file === undefined ? undefined : toUri(file)
  const physical = uri !== undefined && { physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }
  return {
    ruleId: id,
    ruleIndex,
    level: levels[severity],
    message: { text: toMessage(own) },
    locations: [{ ...physical, logicalLocations: [{ fullyQualifiedName: `${name}@${at}`, kind: 'module' }] }],
    partialFingerprints: { 'issueAndPackage/v1': `${id} ${name}` },
    properties: {
      paths: own.map(({ from }) => from),
      ...(first.type === 'vuln' && {
        upgradePaths: own.flatMap((each) => (each.type === 'vuln' ? [each.upgradePath] : [])),
      }),
    },
  }
}

function toMessage(own: readonly Issue[]): string {
  const [first] = own as [Issue]
  const { title, package: name, version: at, from } = first
  const more = own.length === 1 ? '' : ` and ${own.length - 1} more ${own.length === 2 ? 'path' : 'paths'}`
  const upgrade = own.find((each) => each.type === 'vuln' && each.upgradePath.length > 0) as Vulnerability | undefined
  const advice = upgrade === undefined ? '' : ` It is gone with ${upgrade.upgradePath.join(' > ')}.`
  return `${title} in ${name}@${at}, through ${from.join(' > ')}${more}.${advice}`
}

/** The name of the file alone: what else the label says of it stands in parentheses. */
function toUri(label: string): string {
  return encodeURI(label.replace(/ \(.*$/, ''))
}

/** What was not tested is part of every log. */
function toNotifications({ unresolved, boundsMet }: Coverage): object[] {
  const open = unresolved.map(({ name, range, code, reason, requiredBy }) => ({
    descriptor: { id: code },
    level: 'warning',
    message: { text: `${name} ${range}, required by ${requiredBy}, was not tested: ${reason}` },
  }))
  const bounds = boundsMet.map((text) => ({ descriptor: { id: 'bound-met' }, level: 'note', message: { text } }))
  return [...open, ...bounds]
}

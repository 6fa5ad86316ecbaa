import { createHash } from 'node:crypto'
import { isKnown, writeLicence } from '#analysis/licences/licence-expression.ts'
import { version as productVersion } from '#foundation/product.ts'
import type { TestContext } from './context.ts'
import type { PackageLicence } from './find-licences.ts'
import { partsOf, toPackageUrl } from './package-url.ts'
import type { Coverage, LicenceIssue, Vulnerability } from './resource.ts'
import type { Tested } from './result.ts'

/** The reference of the project; those of packages have an `@`. */
const ROOT = 'project'

/**
 * A result as a CycloneDX 1.6 bill of materials with its vulnerabilities. The serial number comes from the content, and
 * no time of day is told: the same input, advisories and registry answers give the same bytes.
 */
export function toCycloneDx(tested: Tested, context: TestContext): object {
  const { result, reading, licences } = tested
  const { name, version } = reading.graph.nodes[0]!.package
  const licenceIssues = Map.groupBy(result.issues.licenses, toRef)
  const content = {
    version: 1,
    metadata: {
      tools: { components: [{ type: 'application', name: 'gatehouse', version: productVersion }] },
      component: { type: 'application', 'bom-ref': ROOT, name: name || ROOT, ...(version !== '' && { version }) },
      properties: toProperties(result.coverage),
    },
    components: licences.packages.map((each) => toComponent(each, { context, licenceIssues })),
    dependencies: toDependencies(tested),
    compositions: [{ aggregate: result.coverage.complete ? 'complete' : 'incomplete', dependencies: [ROOT] }],
    vulnerabilities: toVulnerabilities(result.issues.vulnerabilities),
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${toUuid(content)}`,
    ...content,
  }
}

interface ComponentContext {
  readonly context: TestContext
  readonly licenceIssues: ReadonlyMap<string, readonly LicenceIssue[]>
}

function toComponent(licensed: PackageLicence, { context, licenceIssues }: ComponentContext): object {
  const { package: found } = licensed.found
  const { registry } = context.ecosystem
  const parts = partsOf(registry, found.name)
  const [group, name] =
    registry === 'npm' || registry === 'Maven' ? [parts.slice(0, -1).join('/'), parts.at(-1)!] : ['', found.name]
  const issues = licenceIssues.get(toRefOf(found.name, found.version)) ?? []
  const objections = [...new Set(issues.map(({ severity, title }) => `${severity}: ${title}`))]
  return {
    type: 'library',
    'bom-ref': toRefOf(found.name, found.version),
    ...(group !== '' && { group }),
    name,
    ...(found.version !== '' && { version: found.version }),
    ...toLicences(licensed),
    purl: toPackageUrl(registry, found),
    ...(objections.length > 0 && {
      properties: objections.map((value) => ({ name: 'gatehouse:licenseIssue', value })),
    }),
  }
}

/** An expression is always valid; a list of identifiers only while the reader knows the same ones. */
function toLicences({ expression }: PackageLicence): object {
  if (expression === undefined) return {}
  const text = writeLicence(expression)
  return { licenses: isKnown(expression) ? [{ expression: text }] : [{ license: { name: text } }] }
}

function toDependencies({ reading, licences }: Tested): object[] {
  const { nodes } = reading.graph
  const refs = nodes.map(({ package: { name, version } }, index) => (index === 0 ? ROOT : toRefOf(name, version)))
  const dependsOn = (indexes: readonly number[]) => {
    const all = indexes.flatMap((index) => nodes[index]!.edges.map(({ to }) => refs[to]!))
    const own = [...new Set(all)].filter((ref) => ref !== refs[indexes[0]!])
    return own.length === 0 ? {} : { dependsOn: own.sort() }
  }
  return [
    { ref: ROOT, ...dependsOn([0]) },
    ...licences.packages.map(({ found }) => ({ ref: refs[found.nodes[0]!]!, ...dependsOn(found.nodes) })),
  ]
}

/** One for each vulnerability, whatever the packages that have it and the paths to them. */
function toVulnerabilities(vulnerabilities: readonly Vulnerability[]): object[] {
  return [...Map.groupBy(vulnerabilities, ({ id }) => id).values()].map((own) => {
    const [first] = own as [Vulnerability]
    const { id, url, title, description, identifiers, references, publicationTime, credit } = first
    const aliases = [...identifiers.CVE, ...identifiers.GHSA, ...identifiers.ALTERNATIVE].filter(
      (alias) => alias !== id,
    )
    const cwes = identifiers.CWE.map((cwe) => Number(cwe.slice('CWE-'.length))).filter((cwe) => cwe > 0)
    const advice = [...new Set(own.filter(({ isUpgradable }) => isUpgradable).map(toAdvice))]
    return {
      'bom-ref': `vulnerability ${id}`,
      id,
      source: { name: 'OSV', url },
      references: aliases.map((alias) => ({ id: alias, source: { name: nameOfSource(alias) } })),
      ratings: [toRating(first)],
      ...(cwes.length > 0 && { cwes }),
      description: title,
      ...(description !== '' && { detail: description }),
      ...(advice.length > 0 && { recommendation: advice.join('\n') }),
      advisories: references.map((reference) => ({ url: reference })),
      published: publicationTime,
      ...(credit.length > 0 && { credits: { individuals: credit.map((name) => ({ name })) } }),
      affects: [...Map.groupBy(own, toRef)].map(([ref, [{ version } = first]]) => ({
        ref,
        versions: [{ version, status: 'affected' }],
      })),
      properties: [{ name: 'gatehouse:exploitMaturity', value: first.exploitMaturity }],
    }
  })
}

function toAdvice({ from, upgradePath }: Vulnerability): string {
  return `${from.join(' > ')}: upgrade to ${upgradePath.join(' > ')}`
}

function nameOfSource(id: string): string {
  return id.startsWith('CVE-') ? 'NVD' : id.startsWith('GHSA-') ? 'GitHub' : 'OSV'
}

function toRating({ severity, cvssScore, cvssScoreBasis, CVSSv3, CVSSv4, CVSSv2 }: Vulnerability): object {
  const [method, vector] = CVSSv3.startsWith('CVSS:3.1')
    ? ['CVSSv31', CVSSv3]
    : CVSSv3 !== ''
      ? ['CVSSv3', CVSSv3]
      : CVSSv4 !== undefined
        ? ['CVSSv4', CVSSv4]
        : ['CVSSv2', CVSSv2]
  if (cvssScoreBasis === 'severity' || vector === undefined) return { severity }
  return { score: cvssScore, severity, method, vector }
}

function toProperties({ complete, unresolved, boundsMet, advisories }: Coverage): object[] {
  const property = (name: string, value: string) => ({ name: `gatehouse:${name}`, value })
  return [
    property('complete', String(complete)),
    property('advisories', advisories.digest),
    property('advisoriesBuiltAt', advisories.builtAt),
    ...unresolved.map(({ name, range, code, reason }) =>
      property('unresolved', `${name} ${range}: ${code}: ${reason}`),
    ),
    ...boundsMet.map((text) => property('boundMet', text)),
  ]
}

function toRef({ package: name, version }: Vulnerability | LicenceIssue): string {
  return toRefOf(name, version)
}

function toRefOf(name: string, version: string): string {
  return `${name}@${version}`
}

/** A digest in the shape of a UUID (RFC 9562 §5.8: version 8, of one's own making). */
function toUuid(content: object): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ]
  return parts.join('-')
}

import { version as productVersion } from '#foundation/product.ts'
import {
  type Assessment,
  type Bill,
  type BillVulnerability,
  type Component,
  listDependencies,
  purlOf,
  ROOT,
  refOf,
  type StoredProject,
  splitName,
} from './bill.ts'
import { type Content, LongList } from './long-list.ts'

export const cycloneDxVersions = ['1.4', '1.5', '1.6'] as const
export type CycloneDxVersion = (typeof cycloneDxVersions)[number]

/** Returns the members that identify a document; the serial number is derived from the content. */
export function toCycloneDxHead(specVersion: CycloneDxVersion, serial: string): Content {
  return {
    $schema: `http://cyclonedx.org/schema/bom-${specVersion}.schema.json`,
    bomFormat: 'CycloneDX',
    specVersion,
    serialNumber: `urn:uuid:${serial}`,
  }
}

/**
 * Returns a CycloneDX bill of materials with vulnerabilities, whose analysis is derived from ignores. Its only time is
 * that of a stored test, so the same input, advisories and registry data give the same bytes. Members are in the order
 * of the XML schema.
 */
export function toCycloneDx(bill: Bill, specVersion: CycloneDxVersion): Content {
  const { coverage, components, vulnerabilities } = bill
  return {
    version: 1,
    metadata: toMetadata(bill, specVersion),
    components: new LongList(() => components.values().map(toComponent)),
    dependencies: new LongList(() =>
      listDependencies(bill).map(({ ref, dependsOn }) => (dependsOn.length === 0 ? { ref } : { ref, dependsOn })),
    ),
    compositions: [{ aggregate: coverage.complete ? 'complete' : 'incomplete', dependencies: [ROOT] }],
    vulnerabilities: new LongList(() =>
      vulnerabilities.values().map((vulnerability) => toVulnerability(vulnerability, components, specVersion)),
    ),
  }
}

function toMetadata({ name, version, stored, coverage }: Bill, specVersion: CycloneDxVersion): object {
  const tool = { name: 'gatehouse', version: productVersion }
  return {
    ...(stored && { timestamp: toTime(stored.testedAt) }),
    tools: specVersion === '1.4' ? [tool] : { components: [{ type: 'application', ...tool }] },
    component: { type: 'application', 'bom-ref': ROOT, name: name || ROOT, ...(version !== '' && { version }) },
    properties: [...(stored ? listOrigin(stored) : []), ...toProperties(coverage)],
  }
}

function listOrigin({ kind, id, url }: StoredProject) {
  return [property(`${kind}Id`, id), property(`${kind}Url`, url)]
}

function toTime(at: number): string {
  return new Date(at).toISOString()
}

function toComponent(component: Component): object {
  const { group, name } = splitName(component)
  const { package: identity, license, licenseIssues, project } = component
  const purl = purlOf(component)
  const properties = [
    ...(project ? [...listOrigin(project), property('complete', String(project.isComplete))] : []),
    ...licenseIssues.map((value) => property('licenseIssue', value)),
  ]
  return {
    type: project ? 'application' : 'library',
    'bom-ref': refOf(component),
    ...(group !== '' && { group }),
    name,
    ...(identity.version !== '' && { version: identity.version }),
    // An expression is always valid; a list of identifiers is valid only if the reader's version knows them.
    ...(license && {
      licenses: license.isSpdx ? [{ expression: license.text }] : [{ license: { name: license.text } }],
    }),
    ...(purl !== undefined && { purl }),
    ...(properties.length > 0 && { properties }),
  }
}

function toVulnerability(
  vulnerability: BillVulnerability,
  components: readonly Component[],
  specVersion: CycloneDxVersion,
): object {
  const { id, url, title, description, identifiers, references, publicationTime, credit, advice } = vulnerability
  const aliases = listAliases(vulnerability)
  const cwes = identifiers.CWE.map((cwe) => Number(cwe.slice('CWE-'.length))).filter((cwe) => cwe > 0)
  const { assessment } = vulnerability
  return {
    'bom-ref': `vulnerability ${id}`,
    id,
    source: { name: 'OSV', url },
    references: aliases.map((alias) => ({ id: alias, source: { name: nameOfSource(alias) } })),
    ratings: [toRating(vulnerability, specVersion), ...toEpssRatings(vulnerability)],
    ...(cwes.length > 0 && { cwes }),
    description: title,
    ...(description !== '' && { detail: description }),
    ...(advice.length > 0 && { recommendation: advice.join('\n') }),
    advisories: references.map((reference) => ({ url: reference })),
    published: publicationTime,
    ...(credit.length > 0 && { credits: { individuals: credit.map((name) => ({ name })) } }),
    ...(assessment && { analysis: toAnalysis(assessment) }),
    affects: vulnerability.components.map((at) => ({
      ref: refOf(components[at]!),
      versions: [{ version: components[at]!.package.version, status: 'affected' }],
    })),
    properties: toExploitProperties(vulnerability),
  }
}

export function listAliases({ id, identifiers: { CVE, GHSA, ALTERNATIVE } }: BillVulnerability): string[] {
  return [...CVE, ...GHSA, ...ALTERNATIVE].filter((alias) => alias !== id)
}

const states = {
  'not-vulnerable': { state: 'not_affected' },
  'wont-fix': { state: 'exploitable', response: ['will_not_fix'] },
  'temporary-ignore': { state: 'in_triage' },
  partial: {},
} as const

function toAnalysis({ verdict, text }: Assessment): object {
  return { ...states[verdict], detail: text }
}

function nameOfSource(id: string): string {
  return id.startsWith('CVE-') ? 'NVD' : id.startsWith('GHSA-') ? 'GitHub' : 'OSV'
}

function toRating({ severity, rating }: BillVulnerability, specVersion: CycloneDxVersion): object {
  if (rating === undefined) return { severity }
  const { score, vector } = rating
  return { score, severity, method: methodOf(vector, specVersion), vector }
}

/** Returns EPSS as a rating of another method: the standard's methods are ratings of severity. */
function toEpssRatings({ epssScore }: BillVulnerability): object[] {
  if (epssScore === undefined) return []
  return [{ source: { name: 'EPSS', url: 'https://www.first.org/epss' }, score: epssScore, method: 'other' }]
}

function toExploitProperties(vulnerability: BillVulnerability): object[] {
  const { exploitMaturity, isExploited, exploitedSince, exploitDue, epssPercentile } = vulnerability
  return [
    property('exploitMaturity', exploitMaturity),
    property('isExploited', String(isExploited)),
    ...(exploitedSince === undefined ? [] : [property('exploitedSince', exploitedSince)]),
    ...(exploitDue === undefined ? [] : [property('exploitDue', exploitDue)]),
    ...(epssPercentile === undefined ? [] : [property('epssPercentile', String(epssPercentile))]),
  ]
}

function methodOf(vector: string, specVersion: CycloneDxVersion): string {
  if (vector.startsWith('CVSS:3.1')) return 'CVSSv31'
  if (vector.startsWith('CVSS:3')) return 'CVSSv3'
  if (vector.startsWith('CVSS:4')) return specVersion === '1.4' ? 'other' : 'CVSSv4'
  return 'CVSSv2'
}

export function property(name: string, value: string) {
  return { name: `gatehouse:${name}`, value }
}

function toProperties({ complete, unresolved, boundsMet, advisories }: Bill['coverage']): object[] {
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

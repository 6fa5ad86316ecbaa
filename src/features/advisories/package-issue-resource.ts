import { type Static, Type } from 'typebox'
import { toScore } from '#analysis/advisories/severity.ts'
import type { VulnerabilityFacts } from '#analysis/advisories/vulnerability.ts'
import { type NamedPackage, partsOf, toPackageUrl } from '#analysis/registries/package-url.ts'
import { SignalAttributes, toSignalAttributes } from '#features/issue-index/signal-attributes.ts'
import { Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'

export const PackageMeta = Type.Object({
  name: Type.String(),
  namespace: Type.Optional(Type.String()),
  type: Type.String({ description: 'The type of the package URL' }),
  url: Type.String({ description: 'The package URL in its canonical form' }),
  version: Type.String(),
})
export type PackageMeta = Static<typeof PackageMeta>

const Level = Type.Record(Type.String(), Type.String())

const Coordinate = Type.Object({
  remedies: Type.Array(
    Type.Object({
      type: Type.Literal('indeterminate'),
      description: Type.String(),
      details: Type.Object({ upgrade_package: Type.String() }),
    }),
  ),
  representations: Type.Array(
    Type.Union([
      Type.Object({ resource_path: Type.String({ description: 'The affected versions' }) }),
      Type.Object({ package: PackageMeta }),
    ]),
  ),
})

export const PackageIssue = Type.Object({
  id: Type.String({ description: 'The id of the advisory' }),
  type: Type.Literal('issue'),
  attributes: Type.Object({
    key: Type.String(),
    title: Type.String(),
    type: Type.Literal('package_vulnerability'),
    created_at: Timestamp,
    updated_at: Timestamp,
    description: Type.String({ description: 'Markdown' }),
    problems: Type.Array(Level, { description: 'With `id` and `source`' }),
    coordinates: Type.Array(Coordinate, { description: 'One for each requested package that has the issue' }),
    severities: Type.Array(
      Type.Object({
        source: Type.String(),
        type: Type.Literal('primary'),
        level: Type.String(),
        score: Type.Number({ description: 'CVSS score; without a vector, the lowest score of the level' }),
        vector: Type.Union([Type.String(), Type.Null()]),
        version: Type.Optional(Type.String()),
      }),
    ),
    effective_severity_level: Type.String(),
    slots: Type.Object({
      disclosure_time: Timestamp,
      publication_time: Timestamp,
      exploit_details: Type.Object({ sources: Type.Array(Type.String()), maturity_levels: Type.Array(Level) }),
      exploitation: Type.Object(SignalAttributes, { description: 'An extension' }),
      references: Type.Array(Level, { description: 'With `title` and `url`' }),
    }),
  }),
})
export type PackageIssue = Static<typeof PackageIssue>

nameSchemas({ IssuePackage: PackageMeta, PackageIssueCoordinate: Coordinate, PackageIssue })

export function toPackageMeta({ registry, package: identity }: NamedPackage): PackageMeta {
  const url = toPackageUrl(registry, identity)
  const parts = partsOf(registry, identity.name)
  const namespace = parts.slice(0, -1).join('/')
  return {
    name: parts.at(-1)!,
    ...(namespace !== '' && { namespace }),
    type: url.slice('pkg:'.length, url.indexOf('/')),
    url,
    version: identity.version,
  }
}

/** Returns an issue without coordinates, which depend on the packages that have it. */
export function toPackageIssue(facts: VulnerabilityFacts): PackageIssue {
  const { id, title, description, publicationTime, modificationTime, disclosureTime, references } = facts
  return {
    id,
    type: 'issue',
    attributes: {
      key: id,
      title,
      type: 'package_vulnerability',
      created_at: publicationTime,
      updated_at: modificationTime,
      description,
      problems: toProblems(facts),
      coordinates: [],
      severities: [toSeverity(facts)],
      effective_severity_level: facts.severity,
      slots: {
        disclosure_time: disclosureTime,
        publication_time: publicationTime,
        exploit_details: {
          sources: [],
          maturity_levels: toMaturityLevels(facts),
        },
        exploitation: toSignalAttributes(facts),
        references: references.map(({ type, url }) => ({ title: type, url })),
      },
    },
  }
}

export function toCoordinate(
  { vulnerable, fixedIn }: VulnerabilityFacts,
  requested: NamedPackage,
): Static<typeof Coordinate> {
  const versions = fixedIn.join(',')
  return {
    remedies:
      fixedIn.length === 0
        ? []
        : [
            {
              type: 'indeterminate',
              description: `Upgrade the package version to ${versions} to fix this vulnerability`,
              details: { upgrade_package: versions },
            },
          ],
    representations: [{ resource_path: vulnerable.join(' || ') }, { package: toPackageMeta(requested) }],
  }
}

function toProblems({ id, cve, cwe, ghsa, otherIds }: VulnerabilityFacts) {
  const of = (source: string, ids: readonly string[]) => ids.map((id) => ({ id: id, source }))
  const own = of('OSV', otherIds.includes(id) || ghsa.includes(id) || cve.includes(id) ? otherIds : [id, ...otherIds])
  return [...of('CVE', cve), ...of('CWE', cwe), ...of('GHSA', ghsa), ...own]
}

function toSeverity(facts: VulnerabilityFacts): PackageIssue['attributes']['severities'][number] {
  const { severity, basis, cvssV2, cvssV3, cvssV4 } = facts
  const { cvssScore, cvssScoreBasis } = toScore(facts)
  const vector = cvssV3 ?? cvssV4 ?? cvssV2
  const isRated = cvssScoreBasis === 'vector' && vector !== undefined
  return {
    source: basis === 'assumed' ? 'assumed' : 'OSV',
    type: 'primary',
    level: severity,
    score: cvssScore,
    vector: isRated ? vector : null,
    ...(isRated && { version: /^CVSS:(\d+\.\d+)/.exec(vector)?.[1] ?? '2.0' }),
  }
}

const levels: Readonly<Record<string, string>> = {
  mature: 'High',
  'proof-of-concept': 'Proof of Concept',
  'no-known-exploit': 'Unproven',
}

function toMaturityLevels({ exploitMaturity }: VulnerabilityFacts) {
  const level = levels[exploitMaturity]
  return level === undefined ? [] : [{ format: 'CVSSv3', level, type: 'primary' }]
}

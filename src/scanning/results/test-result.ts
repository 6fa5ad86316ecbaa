import { type Static, Type } from 'typebox'
import { Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'

const Texts = Type.Array(Type.String())

const pathCount = Type.Optional(
  Type.Integer({
    description:
      'Extension, of tests: dependency paths of the issue, counted up to 1,000; `coverage.boundsMet` says when only the shortest are listed',
  }),
)

/** The line that asks for a direct dependency. */
export const DeclarationPlace = Type.Object(
  {
    file: Type.String({
      description:
        'Path in the set of files; for files that are sent without paths their usual name, or `additional file <n>`',
    }),
    line: Type.Integer({ minimum: 1 }),
  },
  {
    description:
      'Extension: where the direct dependency is declared, in the lockfile if only that was sent; absent if unknown',
  },
)
export type DeclarationPlace = Static<typeof DeclarationPlace>

// Named before its use: an optional member holds a copy.
const Pin = Type.Object(
  {
    version: Type.String(),
    forbiddenBy: Type.Array(Type.String(), { description: 'Packages that do not accept it, with what they ask for' }),
    notKnownOf: Type.Array(Type.String(), { description: 'Packages of which it is not known what they accept' }),
  },
  { description: 'Extension, pip: the fixed version to pin; pinnable if no dependent excludes it' },
)

nameSchemas({ DeclarationPlace, Pin })

const VulnerableFunction = Type.Object({
  functionId: Type.Object({
    filePath: Type.Optional(Type.String()),
    className: Type.Optional(Type.String()),
    functionName: Type.String(),
  }),
  version: Texts,
})

const AffectedVersions = Type.Object({
  vulnerable: Texts,
  hashesRange: Type.Optional(Type.Array(Type.String(), { description: 'Go: ranges of affected commits' })),
  vulnerableHashes: Type.Optional(Type.Array(Type.String(), { description: 'Go: affected commits' })),
})

const Identifiers = Type.Object({ CVE: Texts, CWE: Texts, GHSA: Texts, ALTERNATIVE: Texts })

export const Vulnerability = Type.Object({
  id: Type.String(),
  url: Type.String(),
  title: Type.String(),
  type: Type.Literal('vuln'),
  description: Type.String({ description: 'Markdown' }),
  functions: Type.Array(VulnerableFunction, { description: 'Code that is vulnerable, where the advisory tells it' }),
  from: Type.Array(Type.String(), { description: 'Dependency path, from the direct dependency on' }),
  pathCount,
  declaration: Type.Optional(DeclarationPlace),
  package: Type.String(),
  version: Type.String(),
  severity: Type.Union([Type.Literal('critical'), Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]),
  severityBasis: Type.Union(
    [Type.Literal('cvss'), Type.Literal('database'), Type.Literal('malicious'), Type.Literal('assumed')],
    { description: 'Extension: basis of the severity; assumed without any rating' },
  ),
  severityChange: Type.Optional(
    Type.Object(
      {
        originalSeverity: Type.Enum(['critical', 'high', 'medium', 'low']),
        policy: Type.Object({ id: Type.String(), name: Type.String() }),
      },
      { description: 'Extension: the policy of the organization or its group that sets the severity' },
    ),
  ),
  exploitMaturity: Type.String(),
  isExploited: Type.Boolean({ description: 'Extension: a catalog of exploited vulnerabilities lists it' }),
  exploitedSince: Type.Optional(
    Type.String({ format: 'date', description: 'Extension: the earliest date of such a catalog entry' }),
  ),
  exploitDue: Type.Optional(
    Type.String({ format: 'date', description: 'Extension: the earliest date until which a catalog demands a fix' }),
  ),
  epssScore: Type.Optional(
    Type.Number({ description: 'Extension: probability of exploitation within 30 days (EPSS); absent if unknown' }),
  ),
  epssPercentile: Type.Optional(
    Type.Number({ description: 'Extension: share of all scored vulnerabilities with this score or less' }),
  ),
  language: Type.String(),
  packageManager: Type.String(),
  semver: AffectedVersions,
  publicationTime: Type.String(),
  disclosureTime: Type.String(),
  isUpgradable: Type.Boolean(),
  isPatchable: Type.Boolean(),
  isPinnable: Type.Boolean(),
  identifiers: Identifiers,
  credit: Texts,
  CVSSv3: Type.String(),
  CVSSv2: Type.Optional(Type.String({ description: 'Extension: the version 2 vector' })),
  CVSSv4: Type.Optional(Type.String({ description: 'Extension: the version 4 vector' })),
  cvssScore: Type.Number(),
  cvssScoreBasis: Type.Union([Type.Literal('vector'), Type.Literal('severity')], {
    description: 'Extension: whether the score is that of a CVSS vector or the lower bound of the severity’s band',
  }),
  patches: Type.Array(Type.Unknown()),
  upgradePath: Texts,
  ownProjects: Type.Optional(
    Type.Integer({
      description:
        'Extension: how many packages at the start of `from` are other projects of the same repository; the next one is declared in the files of the last of them',
    }),
  ),
  upgradesWith: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Extension: other direct dependencies, as `name@version`, that are published together with the upgraded one and move with it',
    }),
  ),
  pin: Type.Optional(Pin),
  fixedIn: Type.Array(Type.String(), { description: 'Extension: versions that end an affected range' }),
  nearestFixedInVersion: Type.Optional(
    Type.String({ description: 'Extension: the smallest of them above the version in use' }),
  ),
  references: Type.Array(Type.String(), { description: 'Extension: where to read more' }),
})
export type Vulnerability = Static<typeof Vulnerability>

/** A package whose license the organization's policy objects to. */
export const LicenseIssue = Type.Object({
  id: Type.String(),
  url: Type.String(),
  title: Type.String(),
  type: Type.Literal('license'),
  from: Type.Array(Type.String(), { description: 'Dependency path, from the direct dependency on' }),
  pathCount,
  declaration: Type.Optional(DeclarationPlace),
  package: Type.String(),
  version: Type.String(),
  severity: Type.Union([Type.Literal('critical'), Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]),
  language: Type.String(),
  packageManager: Type.String(),
  semver: Type.Object({ vulnerable: Texts, vulnerableHashes: Type.Optional(Texts) }),
  license: Type.Union([Type.String(), Type.Null()], {
    description: 'Extension: the part of the SPDX expression that the policy objects to; null when it is not known',
  }),
  declaredLicense: Type.Union([Type.String(), Type.Null()], {
    description: 'Extension: what lockfile or registry metadata say, in their own words',
  }),
  instructions: Type.Array(Type.String(), { description: 'Extension: what the policy says to do' }),
})
export type LicenseIssue = Static<typeof LicenseIssue>

export const ShownPolicy = Type.Object({
  severities: Type.Record(Type.String(), Type.String()),
  orgLicenseRules: Type.Record(
    Type.String(),
    Type.Object({ licenseType: Type.String(), severity: Type.String(), instructions: Type.String() }),
  ),
  unlistedSeverity: Type.String({ description: 'Extension: what a license means that no rule names' }),
  unknownSeverity: Type.String({ description: 'Extension: what it means that a license is not known' }),
})
export type ShownPolicy = Static<typeof ShownPolicy>

const Unresolved = Type.Object({
  name: Type.String(),
  range: Type.String(),
  code: Type.String(),
  reason: Type.String(),
  requiredBy: Type.String(),
  line: Type.Optional(Type.Integer({ minimum: 1, description: 'Where the manifest asks for it' })),
  file: Type.Optional(Type.String({ description: 'The file of that line, when it is not the target' })),
})

/** A vulnerability of a module in packages that the project does not have. */
export const NotImported = Type.Object({
  id: Type.String(),
  url: Type.String(),
  title: Type.String(),
  severity: Type.Union([Type.Literal('critical'), Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]),
  package: Type.String(),
  version: Type.String(),
  imports: Type.Array(Type.String(), { description: 'Import paths of the affected packages' }),
  fixedIn: Type.Array(Type.String(), { description: 'Versions that end an affected range' }),
})
export type NotImported = Static<typeof NotImported>

const ExploitSourceState = Type.Object({
  source: Type.String(),
  kind: Type.Optional(Type.Enum(['kev', 'epss'], { description: 'Absent if it was never read' })),
  released: Type.Optional(Type.String({ description: 'The release time that the source states' })),
  fetchedAt: Type.Optional(Type.String({ format: 'date-time' })),
  entries: Type.Integer(),
  failure: Type.Optional(Type.String({ description: 'The reason why the last sync could not read it' })),
})

/** The scope of a result, so that a clean one can be trusted. */
export const Coverage = Type.Object({
  complete: Type.Boolean({
    description: 'Everything the files ask for was resolved, tested and held against the policy',
  }),
  declaresNone: Type.Optional(
    Type.Literal(true, { description: 'Extension: the files ask for no package, so there was nothing to test' }),
  ),
  filesRead: Texts,
  locked: Type.Boolean({ description: 'Versions come from a lockfile' }),
  dependencies: Type.Object({
    found: Type.Integer({ description: 'Distinct dependencies, whether resolved or not' }),
    resolved: Type.Integer({ description: 'Distinct packages that were tested' }),
    unresolved: Type.Integer({ description: 'Entries of `unresolved`; a package can have several' }),
  }),
  unresolved: Type.Array(Unresolved),
  excluded: Type.Array(Type.Object({ reason: Type.String(), packages: Type.Integer() })),
  boundsMet: Texts,
  policyFile: Type.Optional(
    Type.Object(
      {
        path: Type.String(),
        rules: Type.Integer({ description: 'Its ignores that were read and may apply' }),
        notes: Texts,
      },
      { description: 'Extension: the policy file beside the manifest; notes say what was not applied' },
    ),
  ),
  severityThreshold: Type.Optional(
    Type.String({ description: 'What is less severe was left out, as it was asked for' }),
  ),
  licenses: Type.Object(
    {
      known: Type.Integer({ description: 'Packages whose license is known' }),
      unknown: Type.Integer({ description: 'Packages whose license is not, or not wholly, known' }),
      unknownPackages: Type.Array(Type.String(), { description: 'The first of those' }),
      registryAsked: Type.Boolean({
        description: 'Registries were asked for licenses that the files do not tell; only for a license policy',
      }),
    },
    { description: 'What is known of licenses' },
  ),
  registryAnswers: Type.Object({
    stale: Type.Integer({ description: 'Answers that had to do although old: the registry could not be asked again' }),
    oldestStaleAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the oldest of those was given',
    }),
  }),
  advisories: Type.Object({
    digest: Type.String(),
    builtAt: Type.String({ format: 'date-time' }),
    newestAdvisory: Type.String({ description: 'When the newest advisory of this registry was changed' }),
    records: Type.Integer({ description: 'Advisories known for this registry' }),
    source: Type.String(),
    starterSet: Type.Boolean({ description: 'Only the small set that comes with the product was used' }),
    knownExploited: Type.Integer({ description: 'Entries of the largest catalog of exploited vulnerabilities in use' }),
    exploitSources: Type.Optional(
      Type.Array(ExploitSourceState, {
        description: 'Extension: catalogs of exploited vulnerabilities and EPSS in use',
      }),
    ),
  }),
  notImported: Type.Optional(
    Type.Array(NotImported, { description: 'Extension, stored Go projects: as in the result of a package test' }),
  ),
})
export type Coverage = Static<typeof Coverage>

/** An issue that the project's policy file or a policy of the organization ignores. */
export const IgnoredIssue = Type.Object({
  id: Type.String(),
  title: Type.String(),
  severity: Type.String(),
  package: Type.String(),
  version: Type.String(),
  path: Type.String({ description: 'The rule’s path' }),
  allPaths: Type.Boolean({ description: 'False: paths that no rule matches are issues still' }),
  reason: Type.String(),
  expires: Type.Union([Type.String(), Type.Null()]),
  policy: Type.Optional(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'The policy of the organization or its group; absent for a policy file' },
    ),
  ),
})
export type IgnoredIssue = Static<typeof IgnoredIssue>

export const TestResult = Type.Object({
  ok: Type.Boolean(),
  issues: Type.Object({ vulnerabilities: Type.Array(Vulnerability), licenses: Type.Array(LicenseIssue) }),
  dependencyCount: Type.Integer({ description: 'Distinct packages at distinct versions' }),
  org: Type.Object({ name: Type.String(), id: Uuid }),
  licensesPolicy: Type.Union([ShownPolicy, Type.Null()], {
    description: 'The organization’s license policy; null while it allows everything',
  }),
  packageManager: Type.String(),
  coverage: Coverage,
  bill: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Extension: CycloneDX 1.6, if asked for with `bill`' }),
  ),
  ignored: Type.Optional(
    Type.Array(IgnoredIssue, {
      description:
        'Extension: what the policy file, a rule each, and policies of the organization ignore; left out of `issues`',
    }),
  ),
  notImported: Type.Optional(
    Type.Array(NotImported, {
      description:
        'Extension, Go: vulnerabilities of modules in packages that the project does not have, by its vendor.json or modules.txt; no issues, and without effect on `ok`',
    }),
  ),
})
export type TestResult = Static<typeof TestResult>

nameSchemas({
  VulnerableFunction,
  AffectedVersions,
  VulnerabilityIdentifiers: Identifiers,
  Vulnerability,
  LicenseIssue,
  AppliedLicensePolicy: ShownPolicy,
  UnresolvedDependency: Unresolved,
  Coverage,
  IgnoredIssue,
  TestResult,
  NotImportedVulnerability: NotImported,
})

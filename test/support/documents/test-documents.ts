import type { LicenseIssue, Vulnerability } from '#scanning/results/test-result.ts'
import type { ProjectFindings, TestDocument, TestedProject } from '../../../src/client/test-document.ts'

/** A vulnerability of a result; what is not given is empty. */
export function vulnerability(fields: Partial<Vulnerability> = {}): Vulnerability {
  return {
    id: 'GHSA-aaaa-bbbb-cccc',
    url: 'https://advisories.example/GHSA-aaaa-bbbb-cccc',
    title: 'Merging objects changes every prototype',
    type: 'vuln',
    description: '',
    functions: [],
    from: ['blue@1.0.0'],
    package: 'blue',
    version: '1.0.0',
    severity: 'high',
    severityBasis: 'cvss',
    exploitMaturity: 'no-known-exploit',
    isExploited: false,
    language: 'js',
    packageManager: 'npm',
    semver: { vulnerable: ['<1.2.0'] },
    publicationTime: '2026-01-01T00:00:00.000Z',
    disclosureTime: '2026-01-01T00:00:00.000Z',
    isUpgradable: true,
    isPatchable: false,
    isPinnable: false,
    identifiers: { CVE: ['CVE-2026-0001'], CWE: ['CWE-1321'], GHSA: [], ALTERNATIVE: [] },
    credit: [],
    CVSSv3: '',
    cvssScore: 7.5,
    cvssScoreBasis: 'vector',
    patches: [],
    upgradePath: ['blue@1.2.0'],
    fixedIn: ['1.2.0'],
    references: [],
    ...fields,
  }
}

/** A license issue of a result. */
export function licenseIssue(fields: Partial<LicenseIssue> = {}): LicenseIssue {
  return {
    id: 'license:npm:green:GPL-3.0-only',
    url: 'https://spdx.example/GPL-3.0-only',
    title: 'GPL-3.0-only license',
    type: 'license',
    from: ['green@2.0.0'],
    package: 'green',
    version: '2.0.0',
    severity: 'medium',
    language: 'js',
    packageManager: 'npm',
    semver: { vulnerable: ['*'] },
    license: 'GPL-3.0-only',
    declaredLicense: 'GPL-3.0',
    instructions: [],
    ...fields,
  }
}

interface Given {
  readonly vulnerabilities?: readonly Vulnerability[]
  readonly licenses?: readonly LicenseIssue[]
  readonly coverage?: Partial<ProjectFindings['coverage']>
}

/** A tested project with these issues, complete unless the coverage says otherwise. */
export function testedProject(
  path: string,
  { vulnerabilities = [], licenses = [], coverage }: Given = {},
): TestedProject {
  const result: ProjectFindings = {
    ok: vulnerabilities.length === 0 && licenses.length === 0,
    issues: { vulnerabilities: [...vulnerabilities], licenses: [...licenses] },
    dependencyCount: 3,
    licensesPolicy: null,
    packageManager: 'npm',
    coverage: {
      complete: true,
      filesRead: [path],
      locked: true,
      dependencies: { found: 3, resolved: 3, unresolved: 0 },
      unresolved: [],
      excluded: [],
      boundsMet: [],
      licenses: { known: 3, unknown: 0, unknownPackages: [], registryAsked: false },
      registryAnswers: { stale: 0, oldestStaleAt: null },
      advisories: {
        digest: 'd1',
        builtAt: '2026-01-01T00:00:00.000Z',
        newestAdvisory: '2026-01-01T00:00:00.000Z',
        records: 10,
        source: 'here',
        starterSet: false,
        knownExploited: 0,
      },
      ...coverage,
    },
  }
  return { path, packageManager: 'npm', ok: result.ok, result }
}

/** The outcome of a test of these projects. */
export function testDocument(
  projects: readonly TestedProject[],
  leftOut: TestDocument['leftOut'] = [],
  excluded = 0,
): TestDocument {
  return { ok: leftOut.length === 0 && projects.every(({ ok }) => ok), projects, advisories: {}, leftOut, excluded }
}

import type { Defect } from './defect.ts'

const advisories = 'src/analysis/advisories'
const refusals = 'test/request-refusals.test.ts'

/** Deviations from the documented interface. */
export const documented: readonly Defect[] = [
  {
    title: 'vectors of aliases under other packages are not used',
    file: `${advisories}/vulnerability.ts`,
    text: '...toSeverity([...rated, ...elsewhere.map((each) => ({ record: each, affected: each.affected }))]),',
    replacement: '...toSeverity(rated),',
    tests: [`${advisories}/vulnerability.test.ts`, `${advisories}/borrowed-ratings.test.ts`],
  },
  {
    title: 'records without a vector borrow none from their aliases',
    file: `${advisories}/borrowed-ratings.ts`,
    text: 'new Set([id, ...aliases].flatMap((name) => lenders.get(name) ?? []))',
    replacement: 'new Set([id].slice(1))',
    tests: [`${advisories}/borrowed-ratings.test.ts`],
  },
  {
    title: 'the basis of a score is not told',
    file: `${advisories}/severity.ts`,
    text: "cvssScoreBasis: 'severity' }\n",
    replacement: "cvssScoreBasis: 'vector' }\n",
    tests: [`${advisories}/severity.test.ts`],
  },
  {
    title: 'a repository may be a file',
    file: 'src/features/package-tests/test-choices.ts',
    text: "if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '') return",
    replacement: 'if (url !== null) return',
    tests: [refusals],
  },
  {
    title: 'an unencoded scope is only not found',
    file: 'src/features/package-tests/routes.ts',
    text: '; encode each slash in a name as %2F`',
    replacement: '`',
    tests: [refusals],
  },
  {
    title: 'Basic authentication is called an invalid token',
    file: 'src/foundation/http/access.ts',
    text: 'if (/^\\s*basic\\s/i.test(header)) return',
    replacement: 'if (/^\\s*never\\s/i.test(header)) return',
    tests: [refusals],
  },
  {
    title: 'a method that the path does not support is not found',
    file: 'src/foundation/http/refusals.ts',
    text: "const headers = { allow: methods.join(', ') }",
    replacement: "const headers = { allow: methods.concat('TRACE').join(', ') }",
    tests: [refusals],
  },
  {
    title: 'the nearest fix is a pre-release beside a release',
    file: 'src/analysis/versions/prerelease.ts',
    text: 'return releases[0] ?? above[0] ?? sorted.at(-1)',
    replacement: 'return sorted.at(-1) ?? releases[0]',
    tests: ['src/analysis/versions/prerelease.test.ts', 'src/features/projects/issues/safe-advice.test.ts'],
  },
  {
    title: 'a pre-release is advised in results of tests',
    file: 'src/analysis/versions/prerelease.ts',
    text: 'return fixes.filter((fix) => takesAll || !isPrerelease(fix, scheme))',
    replacement: 'return fixes.filter((fix) => takesAll || fix !== "" || !isPrerelease(fix, scheme))',
    tests: ['src/analysis/versions/prerelease.test.ts', 'src/scanning/results/result.test.ts'],
  },
]

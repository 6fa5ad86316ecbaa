import { findCvss } from '../../src/analysis/advisories/cvss.ts'
import type { OsvRecord } from '../../src/analysis/advisories/osv.ts'
import { findRegistry } from '../../src/analysis/advisories/package-names.ts'
import { BadRecord, parseRecord } from '../../src/analysis/advisories/parse-record.ts'
import { schemes } from '../../src/analysis/advisories/schemes.ts'
import { toVulnerability } from '../../src/analysis/advisories/vulnerability.ts'
import type { PolicyFile } from '../../src/analysis/discovery/policy-files/policy-file.ts'
import { readPolicy } from '../../src/analysis/discovery/policy-files/read-policy.ts'
import { writePolicy } from '../../src/analysis/discovery/policy-files/write-policy.ts'
import { judgeLicense } from '../../src/analysis/licenses/judge-license.ts'
import { parseLicense, writeLicense } from '../../src/analysis/licenses/license-expression.ts'
import type { Corpus, Target } from './input.ts'
import { BrokenRule } from './input.ts'
import { osvRecords } from './osv-records.ts'

const record = JSON.stringify({
  id: 'GHSA-aaaa-bbbb-cccc',
  modified: '2026-01-01T00:00:00Z',
  published: '2025-01-01T00:00:00Z',
  aliases: ['CVE-2025-1'],
  summary: 'a',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  affected: [
    {
      package: { ecosystem: 'npm', name: 'a' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.2.3' }, { introduced: '2.0.0' }] }],
      versions: ['1.0.0'],
    },
    {
      package: { ecosystem: 'Go', name: 'example.com/m' },
      ranges: [{ type: 'GIT', repo: 'https://example.com/m', events: [{ introduced: '0' }, { limit: 'abc' }] }],
    },
  ],
  references: [{ type: 'WEB', url: 'https://example.com/' }],
  database_specific: { severity: 'HIGH', cwe_ids: ['CWE-79'] },
})
const vectors = [
  'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:P',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N/E:F/RL:O/RC:C',
  'CVSS:3.0/AV:L/AC:H/PR:H/UI:N/S:U/C:N/I:N/A:N',
  '(AV:N/AC:L/Au:N/C:P/I:P/A:P/E:POC/RL:OF/RC:C)',
]
const licenses = [
  'MIT',
  '(MIT OR Apache-2.0) AND BSD-3-Clause',
  'GPL-2.0-or-later WITH Classpath-exception-2.0',
  'LicenseRef-a AND DocumentRef-b:LicenseRef-c',
  'SEE LICENSE IN LICENSE.md',
  'The MIT License (MIT), Apache 2.0 / BSD',
  'mit or (isc and 0bsd)',
]
const policy = { rules: [{ license: 'MIT', verdict: 'none' }], unlisted: 'low', unknown: 'medium' } as const

const policies = [
  "version: v1.25.0\nignore:\n  CVE-2031-1:\n    - '*':\n        reason: a\n        expires: 2031-01-02T03:04:05.006Z\n    - 'a > b@1.x':\n      reason: b\n      disregardIfFixable: true\npatch: {}\n",
  'ignore: &all\n  A:\n    - a: &details {reason: "x\\0", expires: 2031-01-01}\n    - b: *details\nexclude:\n  global: [a/**, {b: *details}]\n',
]

export const recordTargets: readonly (() => Target[])[] = [
  () => [
    {
      name: 'osv-record',
      corpus: () => textsOf([record, ...osvRecords(400)]),
      run: ([text = '']) => describe(parseRecord(text)),
      isRefusal: (error) => error instanceof BadRecord,
    },
  ],
  () => [
    {
      name: 'cvss-vector',
      corpus: () => textsOf([...vectors, ...vectorsIn(osvRecords(400))]),
      run: ([text = '']) => findCvss(text),
      isRefusal: () => false,
      maxCharacters: 4_000,
    },
    {
      name: 'license-expression',
      corpus: () => textsOf(licenses),
      run: ([text = '']) => readLicense(text),
      isRefusal: () => false,
      maxCharacters: 4_000,
    },
    {
      name: 'policy-file',
      corpus: () => textsOf(policies),
      run: ([text = '']) => readAgain(readPolicy(text)),
      isRefusal: () => false,
      maxCharacters: 20_000,
    },
  ],
]

/** The rules of a policy file are the same when they are written and read again. */
function readAgain({ rules, exclusions, notes }: PolicyFile): unknown {
  const again = readPolicy(writePolicy(rules))
  const toText = (all: PolicyFile['rules']) => JSON.stringify(all.map(({ line: _, ...rule }) => rule))
  if (toText(again.rules) !== toText(rules)) throw new BrokenRule('rules written otherwise than they are read')
  return [rules, exclusions, notes]
}

/** Everything that a finding says of a record. */
function describe(parsed: OsvRecord): unknown {
  return parsed.affected.map(({ package: { ecosystem, name } }) => {
    const registry = findRegistry(ecosystem)
    return registry && toVulnerability([parsed], { registry, name, scheme: schemes[registry] })
  })
}

function readLicense(text: string): string | undefined {
  const read = parseLicense(text)
  judgeLicense(read, policy)
  if (read === undefined) return undefined
  const written = writeLicense(read)
  const again = parseLicense(written)
  if (again === undefined || writeLicense(again) !== written) throw new BrokenRule('written otherwise than it is read')
  return written
}

function textsOf(texts: readonly string[]): Corpus {
  return { seeds: texts.map((text) => ({ texts: [text], world: 0 })) }
}

function vectorsIn(records: readonly string[]): string[] {
  return [...new Set(records.flatMap((text) => [...text.matchAll(/CVSS:[\d.]+\/[\w:/]+/g)].map(([vector]) => vector)))]
}

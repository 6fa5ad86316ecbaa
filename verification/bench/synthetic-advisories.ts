import type { OsvAffected, OsvEvent, OsvRecord } from '../../src/analysis/advisories/osv.ts'
import type { Registry } from '../../src/analysis/registries/registry.ts'

export interface SyntheticAdvisories {
  readonly count: number
  /** The same seed makes the same records. */
  readonly seed: number
  /** Distinct packages that they are about. */
  readonly packages: number
}

const REGISTRIES: readonly { registry: Registry; share: number; prefix: string }[] = [
  { registry: 'npm', share: 0.62, prefix: 'GHSA-' },
  { registry: 'PyPI', share: 0.15, prefix: 'PYSEC-' },
  { registry: 'Maven', share: 0.13, prefix: 'GHSA-' },
  { registry: 'Go', share: 0.06, prefix: 'GO-' },
  { registry: 'RubyGems', share: 0.04, prefix: 'GHSA-' },
]

const WORDS =
  'attacker request header parser session token memory buffer path archive template query cookie redirect module option value crafted remote local server client version release upgrade input output error limit denial service code script object prototype key file directory link user permission'.split(
    ' ',
  )

/**
 * Generates records shaped like those of the public export: some packages have hundreds, most have one; a third of the
 * npm ones are malicious packages with listed versions; texts are one or two kilobytes.
 */
export function* syntheticAdvisories(selected: SyntheticAdvisories): Generator<OsvRecord> {
  const random = createRandom(selected.seed)
  for (let n = 0; n < selected.count; n++) yield toRecord(n, selected, random)
}

function toRecord(n: number, selected: SyntheticAdvisories, random: Random): OsvRecord {
  const { registry, prefix } = pickRegistry(random())
  const isMalicious = registry === 'npm' && random() < 0.33
  const name = nameOf(registry, skewed(random, selected.packages))
  const modified = new Date(1_600_000_000_000 + Math.floor(random() * 1.5e11)).toISOString()
  const number = String(n).padStart(6, '0')
  const text = {
    summary: sentence(random, 8),
    details: Array.from({ length: 2 + Math.floor(random() * 8) }, () => sentence(random, 24)).join('\n\n'),
    references: Array.from({ length: 1 + Math.floor(random() * 5) }, (_, at) => ({
      type: 'WEB',
      url: `https://advisories.example/${number}/${at}`,
    })),
  }
  if (isMalicious) {
    const versions = Array.from({ length: 1 + Math.floor(random() * 4) }, () => version(random))
    const affected = [{ package: { ecosystem: registry, name: `mal-${number}` }, versions: [...new Set(versions)] }]
    return { id: `MAL-2025-${number}`, modified, published: modified, ...text, affected }
  }
  return {
    id: `${prefix}synthetic-${number}`,
    modified,
    published: modified,
    aliases: [`CVE-2099-${number}`],
    ...text,
    ...(random() < 0.7 && { severity: [{ type: 'CVSS_V3', score: vector(random) }] }),
    affected: [toAffected(registry, name, random)],
    database_specific: { cwe_ids: [`CWE-${1 + Math.floor(random() * 1000)}`] },
  }
}

function toAffected(registry: Registry, name: string, random: Random): OsvAffected {
  const type = registry === 'npm' || registry === 'Go' ? 'SEMVER' : 'ECOSYSTEM'
  const events: OsvEvent[] = []
  let major = 0
  const branches = random() < 0.8 ? 1 : 2 + Math.floor(random() * 3)
  for (let branch = 0; branch < branches; branch++) {
    events.push({ introduced: branch === 0 && random() < 0.6 ? '0' : `${major}.0.0` })
    const upTo = `${major}.${Math.floor(random() * 20)}.${1 + Math.floor(random() * 20)}`
    events.push(random() < 0.9 ? { fixed: upTo } : { last_affected: upTo })
    major += 1 + Math.floor(random() * 3)
  }
  return { package: { ecosystem: registry, name }, ranges: [{ type, events }] }
}

function pickRegistry(at: number) {
  let sum = 0
  for (const registry of REGISTRIES) {
    sum += registry.share
    if (at < sum) return registry
  }
  return REGISTRIES[0]!
}

function nameOf(registry: Registry, n: number): string {
  if (registry === 'Maven') return `org.synthetic.group${n % 997}:artifact-${n}`
  return registry === 'Go' ? `synthetic.example/module/m${n}` : `synthetic-package-${n}`
}

/** Small numbers often, large ones seldom. */
function skewed(random: Random, below: number): number {
  return Math.floor(random() ** 3 * below)
}

function version(random: Random): string {
  return `${Math.floor(random() * 10)}.${Math.floor(random() * 30)}.${Math.floor(random() * 30)}`
}

function vector(random: Random): string {
  const one = (values: string) => values[Math.floor(random() * values.length)]
  return `CVSS:3.1/AV:${one('NAL')}/AC:${one('LH')}/PR:${one('NLH')}/UI:${one('NR')}/S:${one('UC')}/C:${one('LH')}/I:${one('NLH')}/A:${one('NLH')}`
}

function sentence(random: Random, words: number): string {
  const list = Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)])
  return `${list.join(' ')}.`
}

export type Random = () => number

/** Mulberry32: 32 bits of state are plenty to make test data with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

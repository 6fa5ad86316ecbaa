import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { OsvRange, OsvRecord } from '#analysis/advisories/osv.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import {
  buildStarterSet,
  parseTitles,
  readSources,
  starterRegistries,
  toFileText,
} from '../../../../tools/build-starter-set.ts'

const osvDirectory = join(import.meta.dirname, '../../../../../shared/data/osv')
const needsShared = { skip: existsSync(join(osvDirectory, 'npm/all.zip')) ? false : 'needs ../shared' }

const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const recordsOf = (registry: Registry) => JSON.parse(textOf(`${registry}.json`)) as OsvRecord[]
const all = starterRegistries.flatMap((registry) => recordsOf(registry).map((record) => ({ registry, record })))

describe('the committed starter set', () => {
  it('starter set: covers every registry', () => {
    for (const registry of starterRegistries) {
      assert.ok(recordsOf(registry).length >= 20, `${registry} has ${recordsOf(registry).length} records`)
    }
    assert.ok(recordsOf('npm').length >= 50)
    assert.ok(all.length >= 100)
  })

  it('starter set: is smaller than 290 kB', () => {
    const files = [...starterRegistries.map((registry) => `${registry}.json`), 'titles.tsv', 'by-hand.json']
    const sizeBytes = files.reduce((sum, file) => sum + statSync(join(import.meta.dirname, file)).size, 0)
    assert.ok(sizeBytes < 290_000, `${sizeBytes} bytes`)
  })

  it('starter set: has one record per vulnerability of a package', () => {
    const seen = new Map<string, string>()
    for (const { record } of all) {
      const names = new Set(record.affected.map(({ package: { ecosystem, name } }) => `${ecosystem} ${name}`))
      for (const id of [record.id, ...(record.aliases ?? [])]) {
        for (const name of names) {
          assert.equal(seen.get(`${id} ${name}`), undefined, `${id} of ${name}: ${record.id}`)
          seen.set(`${id} ${name}`, record.id)
        }
      }
    }
    assert.equal(new Set(all.map(({ record }) => record.id)).size, all.length)
  })

  it('starter set: contains only facts and our own titles', () => {
    const members = ['id', 'published', 'modified', 'aliases', 'summary', 'severity', 'affected', 'database_specific']
    const entryMembers = ['package', 'severity', 'ranges', 'versions', 'database_specific', 'ecosystem_specific']
    for (const { record } of all) {
      assert.deepEqual(
        Object.keys(record).filter((member) => !members.includes(member)),
        [],
        record.id,
      )
      const specific = Object.keys(record.database_specific ?? {})
      assert.deepEqual(
        specific.filter((member) => !['severity', 'cwe_ids', 'nvd_published_at'].includes(member)),
        [],
        record.id,
      )
      for (const entry of record.affected) {
        assert.deepEqual(
          Object.keys(entry).filter((member) => !entryMembers.includes(member)),
          [],
          record.id,
        )
        assert.deepEqual(Object.keys(entry.package), ['ecosystem', 'name'], record.id)
        const words = Object.keys(entry.database_specific ?? {})
        assert.deepEqual(
          words.filter((member) => member !== 'last_known_affected_version_range'),
          [],
          record.id,
        )
        const code = Object.keys(entry.ecosystem_specific ?? {})
        assert.deepEqual(
          code.filter((member) => !['imports', 'affected_functions'].includes(member)),
          [],
          record.id,
        )
      }
    }
  })

  it('starter set: every record has its own title of at most 120 characters', () => {
    for (const { record } of all) {
      const title = record.summary ?? ''
      assert.match(title, /^\S.{9,118}\S$/, record.id)
    }
    assert.equal(new Set(all.map(({ record }) => record.summary)).size, all.length)
  })

  it('starter set: ids have the format of a public database', () => {
    for (const { record } of all) {
      for (const id of [record.id, ...(record.aliases ?? [])]) {
        assert.match(
          id,
          /^(GHSA(-[23456789cfghjmpqrvwx]{4}){3}|CVE-\d{4}-\d{4,}|PYSEC-\d{4}-\d+|GO-\d{4}-\d{4}|MAL-\d{4}-\d+)$/,
        )
      }
    }
  })

  it('starter set: every package has affected versions, and every range opens before it closes', () => {
    for (const { registry, record } of all) {
      assert.ok(
        record.affected.some((entry) => entry.package.ecosystem === registry),
        record.id,
      )
      for (const entry of record.affected) {
        assert.ok(
          starterRegistries.some((name) => name === entry.package.ecosystem),
          record.id,
        )
        assert.ok(entry.package.name.length > 0, record.id)
        assert.ok((entry.ranges ?? []).length + (entry.versions ?? []).length > 0, `${record.id} ${entry.package.name}`)
        for (const range of entry.ranges ?? []) assertRange(range, record.id)
      }
    }
  })

  it('starter set: dates exist', () => {
    for (const { record } of all) {
      for (const date of [record.modified, record.published]) {
        assert.ok(date !== undefined, record.id)
        assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, record.id)
        const time = Date.parse(date)
        assert.equal(new Date(time).toISOString().slice(0, 19), date.slice(0, 19), record.id)
        assert.ok(time > Date.parse('2007-01-01T00:00:00Z'), `${record.id} ${date}`)
      }
    }
  })

  it('starter set: vectors are complete, severity words known, weaknesses CWE numbers', () => {
    for (const { record } of all) {
      for (const { type, score } of [record, ...record.affected].flatMap((one) => one.severity ?? [])) {
        assert.match(score, vectors[type] ?? /$^/, `${record.id} ${type}`)
      }
      const { severity, cwe_ids } = record.database_specific ?? {}
      if (severity !== undefined) assert.match(severity, /^(LOW|MODERATE|HIGH|CRITICAL)$/, record.id)
      for (const cwe of cwe_ids ?? []) assert.match(cwe, /^CWE-[1-9]\d*$/, record.id)
    }
  })

  it('starter set: is sorted by id, one record per line', () => {
    for (const registry of starterRegistries) assert.equal(textOf(`${registry}.json`), toFileText(recordsOf(registry)))
  })
})

describe('the starter set and its sources', needsShared, () => {
  it('starter set: is what the tool builds from the sources', async () => {
    const built = await buildStarterSet(osvDirectory)
    for (const registry of starterRegistries) assert.equal(built[registry], textOf(`${registry}.json`), registry)
  })

  it('starter set: packages, versions and dates equal those of the source records', async () => {
    const rows = parseTitles(textOf('titles.tsv')).filter(({ facts }) => facts !== 'by-hand')
    const sources = await readSources(osvDirectory, rows)
    assert.ok(rows.length > 200)
    for (const { registry, id, facts } of rows) {
      const { record } = all.find((one) => one.record.id === id)!
      const source = sources.get(`${registry} ${facts}`)!
      assert.deepEqual(boundsOf(record), boundsOf(source), id)
      assert.deepEqual([record.published, record.modified], [source.published, source.modified], id)
      const vectorsOf = (one: OsvRecord | undefined) => (one?.severity ?? []).map(({ score }) => score)
      if (source.severity) assert.deepEqual(vectorsOf(record), vectorsOf(source), id)
      for (const alias of record.aliases ?? []) assert.ok([source.id, ...(source.aliases ?? [])].includes(alias), id)
    }
  })
})

/** Returns the bounds of a record's ranges for packages in our registries, one per line. */
function boundsOf({ affected }: OsvRecord): string[] {
  return affected
    .filter(({ package: { ecosystem } }) => starterRegistries.some((name) => name === ecosystem))
    .flatMap(({ package: { ecosystem, name }, ranges = [] }) =>
      ranges
        .filter(({ type }) => type !== 'GIT')
        .flatMap(({ type, events }) => events.map((event) => `${ecosystem} ${name} ${type} ${JSON.stringify(event)}`)),
    )
}

function assertRange(range: OsvRange, id: string): void {
  assert.match(range.type, /^(SEMVER|ECOSYSTEM)$/, id)
  assert.ok(
    range.events.some(({ introduced }) => introduced !== undefined),
    id,
  )
  for (const event of range.events) {
    const members = Object.entries(event)
    assert.equal(members.length, 1, id)
    const [kind, version] = members[0]!
    assert.ok(['introduced', 'fixed', 'last_affected'].includes(kind), `${id} ${kind}`)
    assert.match(version, /^\d[\w.+-]*$/, id)
  }
}

// The base metrics of each standard (first.org/cvss), in order; 3.x and 4.0 allow optional ones after them.
const vectors: Readonly<Record<string, RegExp>> = {
  CVSS_V2: /^AV:[LAN]\/AC:[HML]\/Au:[MSN]\/C:[NPC]\/I:[NPC]\/A:[NPC]$/,
  CVSS_V3:
    /^CVSS:3\.[01]\/AV:[NALP]\/AC:[LH]\/PR:[NLH]\/UI:[NR]\/S:[UC]\/C:[NLH]\/I:[NLH]\/A:[NLH](\/(E:[XUPFH]|RL:[XOTWU]|RC:[XURC]))*$/,
  CVSS_V4:
    /^CVSS:4\.0\/AV:[NALP]\/AC:[LH]\/AT:[NP]\/PR:[NLH]\/UI:[NPA]\/VC:[HLN]\/VI:[HLN]\/VA:[HLN]\/SC:[HLN]\/SI:[HLN]\/SA:[HLN](\/[A-Z]{1,3}:[A-Za-z]{1,8})*$/,
}

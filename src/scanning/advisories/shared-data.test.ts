import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { normalizeName, registries } from '#analysis/advisories/package-names.ts'
import { schemes } from '#analysis/advisories/schemes.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { isAffected } from '#test/manifests/naive-osv.ts'
import { sampleOf, volume } from '#test/volume.ts'
import type { SyncCounts } from './build-snapshot.ts'
import { type OpenAdvisories, openAdvisories } from './open-advisories.ts'
import { openSnapshotFile, type WrittenSnapshot } from './snapshot-file.ts'
import { syncToFile } from './sync-to-file.ts'

const shared = new URL('../../../../shared/data/', import.meta.url).pathname
const skip = existsSync(join(shared, 'osv')) ? false : 'needs ../shared'

describe('the advisories of ../shared', { skip }, () => {
  let dir: string
  let advisories: OpenAdvisories
  let written: WrittenSnapshot
  let counts: SyncCounts
  const byPackage = new Map<string, OsvRecord[]>()

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gatehouse-shared-'))
    const from = join(shared, 'osv')
    const order = { from, registries, dir, now: 0, acceptRemovals: false, outgoing: { allow: [] } }
    const result = await syncToFile(order, { onProgress: () => {} })
    assert.ok(result.outcome === 'written')
    written = result.written
    counts = result.counts
    advisories = openAdvisories(openSnapshotFile(written.path, written.digest))
    for (let number = 0; number < written.records; number++) {
      const record = advisories.readRecord(number)
      for (const key of new Set(
        record.affected.map(({ package: affectedPackage }) =>
          keyOf(affectedPackage.ecosystem as Registry, affectedPackage.name),
        ),
      )) {
        byPackage.set(key, [...(byPackage.get(key) ?? []), record])
      }
    }
  })
  after(() => {
    advisories?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  test('every shared record is accepted', () => {
    assert.deepEqual([counts.fetched, counts.rejectedCount, counts.missing], [20_656, 0, []])
    assert.deepEqual(
      Object.entries(written.registries).map(([registry, { records, packages }]) => [registry, records, packages]),
      [
        ['npm', 3665, 2064],
        ['PyPI', 3868, 756],
        ['RubyGems', 1179, 464],
        ['Maven', 2696, 1351],
        ['Go', 4285, 1370],
        ['crates.io', 1193, 901],
        ['Packagist', 3216, 606],
        ['NuGet', 665, 144],
      ],
    )
    assert.equal(written.unreadableBounds.count, 3)
  })

  /** The queries whose answer differs from the direct evaluation, and the number of queries and matches. */
  function compare(registry: Registry, queries: Iterable<{ name: string; version: string }>) {
    const different: string[] = []
    let queryCount = 0
    let matched = 0
    for (const { name, version } of queries) {
      queryCount += 1
      const query = { registry, name, version, scheme: schemes[registry] }
      const candidates = byPackage.get(keyOf(registry, name)) ?? []
      const expected = candidates.filter((record) => isAffected(record, query)).map(({ id }) => id)
      const matches = advisories.snapshot.affecting(registry, name, version)
      matched += matches.length
      const reported = new Set(matches.flatMap(({ record, others }) => [record, ...others].map(advisories.idOf)))
      const speakers = matches.map(({ record }) => advisories.idOf(record))
      const isSame =
        expected.every((id) => reported.has(id)) &&
        speakers.every((id) => expected.includes(id)) &&
        expected.length > 0 === speakers.length > 0
      if (!isSame) different.push(`${name}@${version}`)
    }
    return { queryCount, matched, different }
  }

  test('packages of every shared npm lockfile match as by direct evaluation', () => {
    const packages = new Map<string, { name: string; version: string }>()
    for (const path of globSync(join(shared, 'manifests/npm/*/**/package-lock.json'))) {
      for (const locked of lockedPackages(JSON.parse(readFileSync(path, 'utf8')))) {
        packages.set(`${locked.name}@${locked.version}`, locked)
      }
    }
    const { queryCount, matched, different } = compare('npm', packages.values())
    assert.deepEqual(different, [])
    assert.ok(queryCount > 10_000 && matched > 1_000, `${queryCount} asked, ${matched} matched`)
  })

  for (const registry of registries.filter((name) => existsSync(join(shared, 'osv', name)))) {
    test(`${registry}: versions mentioned by shared advisories match as by direct evaluation`, () => {
      const { queryCount, different } = compare(registry, mentioned(registry))
      assert.deepEqual(different, [])
      assert.ok(queryCount > volume(500), `${queryCount} asked`)
    })
  }

  function* mentioned(registry: Registry): Generator<{ name: string; version: string }> {
    const own = [...byPackage].filter(([key]) => key.startsWith(`${registry} `))
    for (const [key, records] of sampleOf(own)) {
      const name = key.slice(registry.length + 1)
      const affected = records
        .flatMap((record) => record.affected)
        .filter((entry) => keyOf(entry.package.ecosystem as Registry, entry.package.name) === key)
      const versions = affected.flatMap(({ ranges = [], versions: listed = [] }) => [
        ...ranges.flatMap(({ type, events }) =>
          type === 'GIT' ? [] : events.flatMap((event) => Object.values(event)),
        ),
        ...listed.filter((_, index) => index % 10 === 0),
      ])
      for (const version of [...new Set(versions)].slice(0, 25)) yield { name, version: String(version) }
    }
  }
})

function keyOf(registry: Registry, name: string): string {
  return `${registry} ${normalizeName(registry, name)}`
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly name?: string; readonly version?: string }>>
  readonly dependencies?: Readonly<Record<string, Locked>>
}

interface Locked {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, Locked>>
}

/** Returns every locked package, ignoring the structure of the tree. */
function* lockedPackages({ packages, dependencies }: Lock): Generator<{ name: string; version: string }> {
  for (const [path, { name, version }] of Object.entries(packages ?? {})) {
    const at = path.lastIndexOf('node_modules/')
    if (at >= 0 && version !== undefined) yield { name: name ?? path.slice(at + 'node_modules/'.length), version }
  }
  for (const [name, { version, dependencies: nested }] of Object.entries(dependencies ?? {})) {
    if (version !== undefined) yield { name, version }
    if (nested) yield* lockedPackages({ dependencies: nested })
  }
}

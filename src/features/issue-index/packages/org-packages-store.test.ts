import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { purgeProjects } from '#features/projects/purging/purge-projects.job.ts'
import { listOrgUse } from '#features/projects/purging/purge-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { orgPackages } from '#foundation/db/migrations/first-release/0024-org-packages.ts'
import { issueSearch } from '#foundation/db/migrations/first-release/0028-issue-search.ts'
import { publishRecords, recordAgainst } from '#test/manifests/published-advisories.ts'
import { plansOf } from '#test/projects/query-plans.ts'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'
import { findOrCreateOrgNumber, findOrCreatePackages, findOrgNumber } from '../storage/packages-store.ts'
import { countDependencies, type DependencyRow, listDependencies } from './dependencies-store.ts'
import { labelPackages } from './label-packages.ts'
import { countOrgPackages, listOrgPackages, noteOrgPackages } from './org-packages-store.ts'

const STEPS = volume(60, { atLeast: 12 })
const ORDERS = ['asc', 'desc'] as const
const WAYS = (['dependency', 'severity', 'projects'] as const).flatMap((sort) =>
  ORDERS.map((order) => ({ sort, order })),
)

onEveryEngine('packages of an organization', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const purge = () =>
    purgeProjects(app.parts.services).run(
      {},
      { log: pino({ level: 'silent' }), signal: new AbortController().signal, attempt: 1 },
    )
  const store = (orgId: string, packages: readonly string[], target?: string) => {
    const { advisories, release } = app.parts.advisories.acquire()
    const tested = toTest({ packages }, advisories)
    release()
    return record(db(), { orgId, test: tested, ...(target !== undefined && { target }) })
  }
  const numbersOf = (rows: readonly DependencyRow[]) => rows.map(({ number }) => number)

  /** Compares the stored package list with a query of every package. */
  async function compare(orgId: string, { limit, offset }: { limit: number; offset: number }) {
    const orgNumber = await findOrgNumber(db(), orgId)
    if (orgNumber === undefined) return 0
    const count = await countDependencies(db(), { orgNumber, filters: {} })
    assert.equal(await countOrgPackages(db(), orgNumber), count)
    for (const way of WAYS) {
      const kept = await listOrgPackages(db(), { orgNumber, ...way }, { limit, offset })
      const looked = await listDependencies(db(), { orgNumber, ...way, filters: {} }, { limit, offset })
      assert.deepEqual(kept, looked)
    }
    return count
  }

  test('stored package list: equals a query of all packages after random project and advisory changes', async (t) => {
    const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 1e9))
    t.diagnostic(`TEST_SEED=${seed}`)
    const random = createRandom(seed)
    const orgs = [await app.addOrg(), await app.addOrg()]
    const projects: { id: string; target: string; orgId: string }[] = []
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const packages = () => [
      ...new Set(
        Array.from({ length: 1 + Math.floor(random() * 6) }, () => `p-${pick(LETTERS)}@${pick([1, 2, 10])}.0.0`),
      ),
    ]
    const take = () => projects.splice(Math.floor(random() * projects.length), 1)[0]!
    const steps: Record<string, () => Promise<unknown>> = {
      async stored() {
        const [orgId, target] = [pick(orgs), `target ${projects.length} ${random()}`]
        const { projectId } = await store(orgId, packages(), target)
        projects.push({ id: projectId, target, orgId })
      },
      async 'tested again'() {
        const { orgId, target } = pick(projects)
        await store(orgId, packages(), target)
      },
      async deleted() {
        const { id, orgId } = take()
        const answer = await app.call('DELETE', `/rest/orgs/${orgId}/projects/${id}`)
        assert.equal(answer.statusCode, 204, answer.body)
      },
      async deactivated() {
        const { id, orgId } = pick(projects)
        const answer = await app.call('POST', `/v1/org/${orgId}/project/${id}/deactivate`)
        assert.equal(answer.statusCode, 200, answer.body)
      },
      async moved() {
        const { id, target, orgId } = take()
        const targetOrgId = orgs.find((org) => org !== orgId)!
        const answer = await app.call('PUT', `/v1/org/${orgId}/project/${id}/move`, { body: { targetOrgId } })
        assert.equal(answer.statusCode, 200, answer.body)
        projects.push({ id, target, orgId: targetOrgId })
      },
      async advisories() {
        const records = LETTERS.filter(() => random() < 0.4).map((letter) =>
          recordAgainst(`A-${letter}-${pick([1, 2])}`, 'npm', `p-${letter}`, {
            fixed: `${pick([2, 3, 11])}.0.0`,
            severity: pick(['LOW', 'MODERATE', 'HIGH', 'CRITICAL']),
            modified: `2024-01-01T00:00:${Math.floor(10 + random() * 50)}Z`,
          }),
        )
        await publishRecords(app.parts, records)
        await app.parts.matcher.run()
      },
      purged: purge,
    }
    let compared = 0
    for (let n = 0; n < STEPS; n++) {
      await steps[projects.length < 2 ? 'stored' : pick(Object.keys(steps))]!()
      for (const orgId of orgs) {
        compared += await compare(orgId, { limit: 1 + Math.floor(random() * 8), offset: Math.floor(random() * 12) })
      }
    }
    assert.ok(compared > STEPS, 'there was something to compare')
  })

  describe('package list with many packages of deleted projects', () => {
    let orgId: string
    let orgNumber: number
    const LIVING = 30
    before(async () => {
      orgId = await app.addOrg()
      const gone = await store(
        orgId,
        Array.from({ length: 1_500 }, (_, n) => `m-${n}@1.0.0`),
      )
      await store(
        orgId,
        Array.from({ length: LIVING }, (_, n) => `m-${n * 50 + 1}@1.0.0`),
      )
      await store(
        orgId,
        Array.from({ length: 1_000 }, (_, n) => `k-${n}@1.0.0`),
      )
      // Another organization keeps some of the packages in storage.
      await store(
        await app.addOrg(),
        Array.from({ length: 100 }, (_, n) => `m-${n}@1.0.0`),
      )
      await app.call('DELETE', `/rest/orgs/${orgId}/projects/${gone.projectId}`)
      orgNumber = (await findOrgNumber(db(), orgId))!
    })

    for (const order of ORDERS) {
      test(`package list: ${order} pages contain every package before the purge`, async () => {
        const query = { orgNumber, sort: 'dependency', order } as const
        const all = numbersOf(await listDependencies(db(), { ...query, filters: {} }, { limit: 9_999, offset: 0 }))
        const listed = new Set<number>()
        const total = await countOrgPackages(db(), orgNumber)
        for (let offset = 0; offset < total; offset += 100) {
          const page = numbersOf(await listOrgPackages(db(), query, { limit: 100, offset }))
          for (const number of page) listed.add(number)
        }
        assert.deepEqual([...listed].sort(ascending), all.toSorted(ascending))
      })
    }

    test('package list: the count is exact after the purge', async () => {
      assert.equal(await countOrgPackages(db(), orgNumber), 2_500)
      await purge()
      assert.equal(await compare(orgId, { limit: 20, offset: 900 }), 1_000 + LIVING)
    })
  })

  describe('package list query plans', () => {
    for (const { sort, order } of WAYS) {
      for (const offset of [0, 10, 5_000]) {
        test(`package list: by ${sort} ${order} from ${offset} reads an index without sorting`, async () => {
          const plans = await plansOf(db(), engine, (on) =>
            listOrgPackages(on, { orgNumber: 1, sort, order }, { limit: 10, offset }),
          )
          assert.ok(plans.length > 0)
          for (const plan of plans) {
            assert.match(plan, sort === 'dependency' ? /org_packages_by_name/ : new RegExp(`org_packages_by_${sort}`))
            assert.doesNotMatch(plan, /Sort|TEMP B-TREE|Hash|Merge/)
          }
        })
      }
    }

    test('package list: count and purge read indexes only', async () => {
      const work = async (on: Db) => {
        await countOrgPackages(on, 1)
        await listOrgUse(on, 'org_packages', { after: { orgNumber: 1, packageNumber: 1 }, limit: 10 })
      }
      const plans = await plansOf(db(), engine, work)
      for (const plan of plans) {
        assert.match(plan, /org_packages_pkey|PRIMARY KEY|org_packages_by|sqlite_autoindex_org_packages_1/)
        assert.doesNotMatch(plan, /Sort|TEMP B-TREE|Hash|Merge|Seq Scan|SCAN op/)
      }
    })
  })

  test('package list: keeps packages that are stored during a purge', async () => {
    const orgId = await app.addOrg()
    for (let round = 0; round < 4; round++) {
      const { projectId } = await store(orgId, ['raced@1.0.0', `r-${round}@1.0.0`])
      await app.call('DELETE', `/rest/orgs/${orgId}/projects/${projectId}`)
      const again = Array.from({ length: 4 }, (_, n) => store(orgId, ['raced@1.0.0', `r-${round}-${n}@1.0.0`]))
      const stored = await Promise.all([...again, purge()]).then((all) => all.slice(0, -1))
      await compare(orgId, { limit: 20, offset: 0 })
      for (const project of stored) {
        await app.call('DELETE', `/rest/orgs/${orgId}/projects/${(project as { projectId: string }).projectId}`)
      }
    }
    await purge()
    assert.equal(await countOrgPackages(db(), (await findOrgNumber(db(), orgId))!), 0)
  })

  test('package list: concurrent writes succeed in any package order', async () => {
    const keys = Array.from({ length: 900 }, (_, n) => ({ name: `at-once-${n}`, version: '1.0.0', variant: '' }))
    const packages = await db()
      .transaction()
      .execute(async (tx) => [...(await findOrCreatePackages(tx, 'npm', keys)).numbers.values()])
    const orders = [packages, packages.toReversed(), [...packages.slice(450), ...packages.slice(0, 450)]]
    for (let round = 0; round < 8; round++) {
      const orgNumber = await findOrCreateOrgNumber(db(), await app.addOrg())
      const note = (own: readonly number[]) =>
        db()
          .transaction()
          .execute((tx) => noteOrgPackages(tx, { orgNumber, packages: own, labels: new Map() }))
      await Promise.all(orders.map(note))
    }
  })

  test('package list: the migration fills it with the packages stored before', async () => {
    const read = () =>
      db().selectFrom('org_packages').selectAll().orderBy('org_number').orderBy('package_number').execute()
    await publishRecords(app.parts, [recordAgainst('F-1', 'npm', 'filled', { fixed: '2.0.0' })])
    await app.parts.matcher.run()
    await store(await app.addOrg(), ['filled@1.0.0', 'unfilled@1.0.0'])
    await purge()
    const before = await read()
    assert.deepEqual(
      before.filter(({ name }) => name.endsWith('filled')).map(({ severity }) => severity),
      [3, 0],
    )
    await db().deleteFrom('org_packages').execute()
    const types = { text: '', bytes: '', counter: '', keyed: '' }
    const all = orgPackages.statements(types)
    const later = issueSearch.statements(types).filter((statement) => statement.startsWith('update org_packages'))
    for (const filling of [...all.filter((statement) => statement.startsWith('insert')), ...later]) {
      await sql.raw(filling).execute(db())
    }
    await labelPackages(db(), undefined)
    assert.deepEqual(await read(), before)
  })

  test('package list: deleting the organization deletes it', async () => {
    const orgId = await app.addOrg()
    await store(orgId, ['there@1.0.0'])
    const orgNumber = (await findOrgNumber(db(), orgId))!
    await db().deleteFrom('orgs').where('id', '=', orgId).execute()
    assert.equal(await countOrgPackages(db(), orgNumber), 0)
  })
})

const LETTERS = [...'abcdefgh']
const ascending = (a: number, b: number) => a - b

function createRandom(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

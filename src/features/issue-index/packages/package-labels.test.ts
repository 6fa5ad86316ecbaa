import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { record, toTest } from '#test/projects/stored-projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { findOrgNumber } from '../storage/packages-store.ts'
import { labelPackages } from './label-packages.ts'

interface Told {
  readonly name: string
  readonly license?: string
}

onEveryEngine('package labels of an organization', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { advisoriesPollSeconds: 3600 })
  })
  after(() => app.close())

  const db = () => app.parts.services.db

  async function store(orgId: string, target: string, entries: readonly Told[]) {
    const { advisories, release } = app.parts.advisories.acquire()
    const packages = entries.map((entry) => ({ ...entry, version: '1.0.0' }))
    const tested = toTest({ packages, type: 'pip' }, advisories)
    release()
    return record(db(), { orgId, test: tested, target })
  }

  async function stored(orgId: string): Promise<Record<string, [string | null, string | null]>> {
    const orgNumber = (await findOrgNumber(db(), orgId))!
    const rows = await db()
      .selectFrom('org_packages')
      .select(['name', 'spelling', 'license'])
      .where('org_number', '=', orgNumber)
      .orderBy('name')
      .execute()
    return Object.fromEntries(rows.map(({ name, spelling, license }) => [name, [spelling, license]]))
  }

  test('package labels: keep the first spelling and the last license through tests, moves and deletions', async (t) => {
    const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 1e9))
    t.diagnostic(`TEST_SEED=${seed}`)
    const random = createRandom(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
    const orgs = [await app.addOrg(), await app.addOrg()]
    const expected = new Map(orgs.map((org) => [org, new Map<string, [string, string | null]>()]))
    const projects: { id: string; orgId: string; target: string; names: string[] }[] = []
    for (let step = 0; step < 60; step++) {
      const kind = projects.length < 2 ? 'test' : pick(['test', 'test', 'again', 'move', 'delete'])
      const chosen = projects[Math.floor(random() * projects.length)]
      if (kind === 'delete') {
        await app.call('DELETE', `/rest/orgs/${chosen!.orgId}/projects/${chosen!.id}`)
        projects.splice(projects.indexOf(chosen!), 1)
      } else if (kind === 'move') {
        const to = orgs.find((org) => org !== chosen!.orgId)!
        const answer = await app.call('PUT', `/v1/org/${chosen!.orgId}/project/${chosen!.id}/move`, {
          body: { targetOrgId: to },
        })
        assert.equal(answer.statusCode, 200, answer.body)
        const labels = expected.get(to)!
        for (const name of chosen!.names) {
          if (!labels.has(name)) labels.set(name, expected.get(chosen!.orgId)!.get(name)!)
        }
        chosen!.orgId = to
      } else {
        const entries = NAMES.filter(() => random() < 0.4).map((name) => {
          const license = pick(['MIT', 'ISC', undefined])
          return { name: random() < 0.5 ? name.toUpperCase() : name, ...(license !== undefined && { license }) }
        })
        const { orgId, target } = kind === 'again' ? chosen! : { orgId: pick(orgs), target: `t${step}` }
        const { projectId } = await store(orgId, target, entries)
        const names = entries.map(({ name }) => name.toLowerCase())
        if (kind === 'again') chosen!.names = names
        else projects.push({ id: projectId, orgId, target, names })
        const labels = expected.get(orgId)!
        for (const { name, license } of entries) {
          const [spelling, before] = labels.get(name.toLowerCase()) ?? [name, null]
          labels.set(name.toLowerCase(), [spelling, license ?? before])
        }
      }
      for (const org of orgs) {
        if (expected.get(org)!.size === 0) continue
        const sorted = Object.fromEntries([...expected.get(org)!].sort(([a], [b]) => (a < b ? -1 : 1)))
        assert.deepEqual(await stored(org), sorted, `after step ${step}, ${kind}`)
      }
    }
  })

  describe('labels of packages stored before labels existed', () => {
    let orgId: string
    let labeled: Awaited<ReturnType<typeof stored>>
    before(async () => {
      orgId = await app.addOrg()
      await store(orgId, 'one', [{ name: 'Alpha', license: 'MIT' }, { name: 'beta' }])
      await store(orgId, 'two', [{ name: 'Gamma', license: 'ISC' }])
      const gone = await store(orgId, 'gone', [{ name: 'Left-Over', license: 'ISC' }])
      await app.call('DELETE', `/rest/orgs/${orgId}/projects/${gone.projectId}`)
      labeled = await stored(orgId)
    })
    const forget = () => db().updateTable('org_packages').set({ spelling: null, license: null }).execute()
    const ask = async () => (await app.call('POST', `/v1/org/${orgId}/dependencies`, { body: {} })).json()

    test('missing labels: dependencies take names and licenses from the graphs', async () => {
      const before = await ask()
      assert.equal(before.total, 3)
      await forget()
      assert.deepEqual(await ask(), before)
    })

    test('missing labels: the background lookup resumes after every interruption', async () => {
      await forget()
      for (let runs = 0; ; runs++) {
        const ending = AbortSignal.abort(new Error('cut short'))
        try {
          await labelPackages(db(), ending)
          assert.ok(runs > 1, 'each run does a part')
          break
        } catch (error) {
          assert.equal((error as Error).message, 'cut short')
        }
      }
      assert.deepEqual(await stored(orgId), { ...labeled, 'left-over': ['left-over', null] })
    })

    test('missing labels: the background lookup keeps labels of a newer test', async () => {
      await forget()
      await store(orgId, 'one', [{ name: 'ALPHA', license: 'ISC' }, { name: 'beta' }])
      await labelPackages(db(), undefined)
      assert.deepEqual((await stored(orgId))['alpha'], ['ALPHA', 'ISC'])
    })
  })
})

const NAMES = [...'abcdefgh'].map((letter) => `p-${letter}`)

function createRandom(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

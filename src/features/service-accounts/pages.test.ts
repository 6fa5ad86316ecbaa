import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount, ofGroup, ofOrg } from '#test/access/accounts.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

interface Page {
  readonly data: { id: string }[]
  readonly links: { self: string; first: string; last: string; next?: string; prev?: string }
}

onEveryEngine('pages of service accounts', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const owner of [ofOrg, ofGroup]) {
    describe(`pages of service accounts at level ${owner.level}`, () => {
      const ids: string[] = []
      const open = async (link: string): Promise<Page> => {
        const answer = await app.call('GET', link)
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json()
      }
      const idsOf = ({ data }: Page) => data.map(({ id }) => id)
      /** Accounts that exist from the beginning to the end of each test. */
      const lasting = () => ids.filter((id) => !deleted.has(id))
      const deleted = new Set<string>()

      before(async () => {
        // Creates them one after another, so that their order is known.
        for (let i = 0; i < 25; i++) ids.push((await createAccount(app, owner.path(app))).id)
        const page = await open(`${owner.path(app)}?version=2024-10-15&limit=100`)
        // Accounts of the same millisecond are ordered by id.
        assert.deepEqual(idsOf(page).toSorted(), ids.toSorted())
        ids.splice(0, ids.length, ...idsOf(page))
      })

      test('account pages: links lead forth and back through every account', async () => {
        const first = await open(owner.path(app))
        assert.deepEqual(idsOf(first), ids.slice(0, 10))
        assert.equal(first.links.prev, undefined)
        const second = await open(first.links.next!)
        assert.deepEqual(idsOf(second), ids.slice(10, 20))
        const third = await open(second.links.next!)
        assert.deepEqual(idsOf(third), ids.slice(20))
        assert.equal(third.links.next, undefined)
        assert.deepEqual(idsOf(await open(third.links.prev!)), ids.slice(10, 20))
        assert.deepEqual(idsOf(await open(second.links.prev!)), ids.slice(0, 10))
        assert.deepEqual(idsOf(await open(third.links.first)), ids.slice(0, 10))
        const last = await open(first.links.last)
        assert.deepEqual(idsOf(last), ids.slice(-10))
        assert.equal(last.links.next, undefined)
        assert.ok(last.links.prev)
      })

      test('account pages: a page beyond either end is empty and links back', async () => {
        const { links } = await open(owner.path(app))
        const after = await open(links.last.replace('ending_before', 'starting_after'))
        assert.deepEqual([after.data, after.links.next], [[], undefined])
        assert.deepEqual(idsOf(await open(after.links.prev!)), ids.slice(-10))
        const before = await open(links.first.replace('starting_after', 'ending_before'))
        assert.deepEqual([before.data, before.links.prev], [[], undefined])
        assert.deepEqual(idsOf(await open(before.links.next!)), ids.slice(0, 10))
      })

      test('account pages: links are paths without /rest, repeat version and limit and never loop', async () => {
        let page = await open(`${owner.path(app)}?version=2024-10-15&limit=12`)
        const seen = new Set<string>()
        for (;;) {
          const { self, next } = page.links
          assert.ok(!seen.has(self), 'this page was here before')
          seen.add(self)
          for (const link of Object.values(page.links)) {
            assert.ok(`/rest${link}`.startsWith(`${owner.path(app)}?`), link)
            const query = new URLSearchParams(link.split('?')[1])
            assert.deepEqual([query.getAll('version'), query.getAll('limit')], [['2024-10-15'], ['12']])
          }
          if (next === undefined) break
          assert.notEqual(next, self)
          page = await open(next)
        }
        assert.equal(seen.size, 3)
      })

      test('account pages: neither omit nor repeat an account while others are created and deleted', async () => {
        const remove = async (id: string) => {
          deleted.add(id)
          assert.equal((await app.call('DELETE', `${owner.path(app)}/${id}`)).statusCode, 204)
        }
        const forth: string[] = []
        const added: string[] = []
        let page = await open(owner.path(app))
        let last = page
        for (let step = 0; ; step++) {
          forth.push(...idsOf(page))
          last = page
          if (page.links.next === undefined) break
          // Deletes the cursor's row, one already read and one still to come, and adds one at the end.
          await remove(idsOf(page).at(-1)!)
          await remove(ids[step * 10 + 2]!)
          await remove(ids[step * 10 + 13]!)
          added.push((await createAccount(app, owner.path(app))).id)
          page = await open(page.links.next)
        }
        assert.equal(new Set(forth).size, forth.length, 'repeated')
        for (const id of lasting()) assert.ok(forth.includes(id), 'left out')
        for (const id of added) assert.ok(forth.includes(id), 'new ones come last and are met')

        const back: string[] = []
        for (page = last; ; page = await open(page.links.prev)) {
          back.unshift(...idsOf(page))
          if (page.links.prev === undefined) break
          await remove(idsOf(page)[0]!)
        }
        assert.equal(new Set(back).size, back.length, 'repeated')
        for (const id of lasting()) assert.ok(back.includes(id), 'left out on the way back')
      })

      test('account pages: a page without remaining rows is empty; its link shows later accounts', async () => {
        const path = owner.path(app)
        const left = idsOf(await open(`${path}?version=2024-10-15&limit=100`))
        const first = await open(path)
        const beyond = first.links.next!
        for (const id of left) await app.call('DELETE', `${path}/${id}`)
        const empty = await open(beyond)
        assert.deepEqual([empty.data, empty.links.next, empty.links.prev], [[], undefined, undefined])
        const one = (await createAccount(app, path)).id
        assert.deepEqual(idsOf(await open(beyond)), [one])
      })

      test('account pages: an empty page links to the row of its cursor', async () => {
        const path = owner.path(app)
        for (const id of idsOf(await open(`${path}?version=2024-10-15&limit=100`)))
          await app.call('DELETE', `${path}/${id}`)
        for (let i = 0; i < 11; i++) await createAccount(app, path)
        const first = await open(path)
        const second = await open(first.links.next!)
        const [kept] = idsOf(second)
        for (const id of idsOf(first)) await app.call('DELETE', `${path}/${id}`)
        const before = await open(second.links.prev!)
        assert.deepEqual([before.data, before.links.prev], [[], undefined])
        assert.deepEqual(idsOf(await open(before.links.next!)), [kept])

        for (let i = 0; i < 10; i++) await createAccount(app, path)
        const all = await open(path)
        const beyond = all.links.next!
        for (const id of [...idsOf(all).slice(0, -1), ...idsOf(await open(beyond))])
          await app.call('DELETE', `${path}/${id}`)
        const after = await open(beyond)
        assert.deepEqual([after.data, after.links.next], [[], undefined])
        assert.deepEqual(idsOf(await open(after.links.prev!)), [idsOf(all).at(-1)])
      })
    })
  }

  describe('invalid pages of service accounts', () => {
    let cursor: string
    before(async () => {
      for (let i = 0; i < 11; i++) await createAccount(app, ofOrg.path(app))
      const { links } = (await app.call('GET', ofOrg.path(app))).json()
      cursor = new URLSearchParams(links.next.split('?')[1]).get('starting_after')!
    })

    for (const parameter of ['starting_after', 'ending_before']) {
      test(`account pages: ${parameter} refuses foreign and garbled cursors with 400`, async () => {
        assert.equal((await app.call('GET', ofOrg.path(app), { query: { [parameter]: cursor } })).statusCode, 200)
        const garbled = Buffer.from(cursor.slice(3), 'base64url').toString().replace(/\d/, '7')
        const sent: [path: string, cursor: string][] = [
          [ofGroup.path(app), cursor],
          [`/rest/orgs/${await app.addOrg()}/service_accounts`, cursor],
          [`/rest/orgs/${app.orgId}/audit_logs`, cursor],
          [ofOrg.path(app), 'v1.'],
          [ofOrg.path(app), 'v1.e30'],
          [ofOrg.path(app), 'v1.bnVsbA'],
          [ofOrg.path(app), cursor.slice(0, -4)],
          [ofOrg.path(app), `v2${cursor.slice(2)}`],
          [ofOrg.path(app), `v1.${Buffer.from(garbled).toString('base64url')}`],
          [ofOrg.path(app), 'x'.repeat(5000)],
        ]
        for (const [path, value] of sent) {
          const answer = await app.call('GET', path, { query: { [parameter]: value } })
          assert.equal(answer.statusCode, 400, `${path} ${value}: ${answer.body}`)
          const [error] = answer.json().errors
          assert.deepEqual([error.code, error.source], ['cursor-invalid', { parameter }])
        }
      })
    }

    test('account pages: both cursors at once get 400', async () => {
      const query = { starting_after: cursor, ending_before: cursor }
      const answer = await app.call('GET', ofOrg.path(app), { query })
      assert.deepEqual([answer.statusCode, answer.json().errors[0].source], [400, { parameter: 'ending_before' }])
    })

    for (const limit of ['9', '101', '0', '-10', '10.5', 'ten', '']) {
      test(`account pages: limit=${limit} gets 400`, async () => {
        const answer = await app.call('GET', ofOrg.path(app), { query: { limit } })
        assert.deepEqual([answer.statusCode, answer.json().errors?.[0].source], [400, { parameter: 'limit' }])
      })
    }

    test('account pages: a repeated limit gets 400', async () => {
      const answer = await app.call('GET', `${ofOrg.path(app)}?version=2024-10-15&limit=10&limit=10`)
      assert.equal(answer.statusCode, 400, answer.body)
    })

    test('account pages: limit=11 returns eleven accounts', async () => {
      assert.equal((await app.call('GET', ofOrg.path(app), { query: { limit: '11' } })).json().data.length, 11)
    })
  })
})

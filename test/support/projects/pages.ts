import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { TestApp } from '../servers/app.ts'

interface List {
  path(): string
  /** Adds an item at the end of the list and returns its id. */
  add(): Promise<string>
  remove(id: string): Promise<unknown>
}

interface Document {
  data: { id: string }[]
  links: { self: string; first: string; last: string; next?: string; prev?: string }
}

/** Tests paging in both directions while items come and go: no gaps, no repeats, no page that links to itself. */
export function testPages(app: () => TestApp, name: string, { path, add, remove }: List): void {
  const read = async (link: string): Promise<Document> => {
    const answer = await app().call('GET', link)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  test(`${name}: pages have no gaps or repeats while items are added and removed`, async () => {
    const made: string[] = []
    for (let count = 0; count < 24; count++) made.push(await add())
    const [seenAndGone, goneAhead] = [new Set<string>(), new Set<string>()]

    const forth: string[] = []
    let page = await read(`${path()}${path().includes('?') ? '&' : '?'}limit=10`)
    const start = page
    assert.equal(page.links.prev, undefined)
    for (let number = 1; ; number++) {
      forth.push(...page.data.map(({ id }) => id))
      const seen = made.find((id) => forth.includes(id))
      if (seen !== undefined && seenAndGone.size === 0) {
        seenAndGone.add(seen)
        await remove(seen)
      }
      if (number === 1) {
        const ahead = made.findLast((id) => !forth.includes(id))!
        goneAhead.add(ahead)
        await remove(ahead)
        // An item of the same millisecond might sort before the cursor.
        await setTimeout(2)
        made.push(await add())
      }
      if (page.links.next === undefined) break
      assert.notEqual(page.links.next, page.links.self)
      assert.equal(page.data.length, 10)
      page = await read(page.links.next)
    }
    assert.equal(new Set(forth).size, forth.length, 'repeats')
    assert.deepEqual(
      made.filter((id) => !forth.includes(id)),
      [...goneAhead],
      'gaps',
    )
    assert.equal(seenAndGone.size, 1)

    const back: string[] = []
    page = await read(start.links.last)
    assert.equal(page.links.next, undefined)
    for (;;) {
      back.unshift(...page.data.map(({ id }) => id))
      if (page.links.prev === undefined) break
      assert.notEqual(page.links.prev, page.links.self)
      page = await read(page.links.prev)
    }
    assert.deepEqual(
      back,
      forth.filter((id) => !seenAndGone.has(id)),
    )
    assert.deepEqual(
      (await read(start.links.first)).data.map(({ id }) => id),
      back.slice(0, 10),
    )
  })
}

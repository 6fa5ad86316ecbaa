import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'

const any = () => true

function queueOf(items: readonly string[]) {
  const queue = createFairQueue<string>()
  for (const item of items) queue.add(item, partyOf(item), 'last')
  return queue
}

/** `org/credential number`. */
function partyOf(item: string) {
  const [org = '', credential = ''] = item.split(/[/ ]/)
  return { org, credential }
}

/** Takes all items; each uses the time of its organization's work. */
function takeAll(queue: ReturnType<typeof queueOf>, costs: Readonly<Record<string, number>>): string[] {
  const order: string[] = []
  for (let item = queue.take(any); item !== undefined; item = queue.take(any)) {
    order.push(item)
    queue.charge(partyOf(item), costs[partyOf(item).org] ?? 1)
  }
  return order
}

describe('the fair queue', () => {
  test('fair queue: shares time instead of turns: ten cheap items for one that costs ten times as much', () => {
    const cheap = Array.from({ length: 20 }, (_, n) => `cheap/k ${n}`)
    const queue = queueOf(['slow/k 0', 'slow/k 1', 'slow/k 2', ...cheap])
    const order = takeAll(queue, { slow: 10, cheap: 1 })
    const between = order.indexOf('slow/k 2') - order.indexOf('slow/k 1') - 1
    assert.ok(between >= 9 && between <= 11, order.join())
  })

  test('fair queue: shares the time of an organization among its credentials', () => {
    const queue = queueOf(['a/flood 0', 'a/flood 1', 'a/flood 2', 'a/flood 3', 'a/other 0', 'a/other 1'])
    assert.deepEqual(takeAll(queue, {}).slice(0, 4), ['a/flood 0', 'a/other 0', 'a/flood 1', 'a/other 1'])
  })

  test('fair queue: a returning organization has no credit, and its excess use still counts', () => {
    const queue = queueOf(['a/k 0'])
    queue.take(any)
    queue.charge(partyOf('a/k 0'), 1000)
    for (let n = 0; n < 50; n++) {
      queue.add(`b/k ${n}`, partyOf('b/k'), 'last')
      queue.take(any)
      queue.charge(partyOf('b/k'), 10)
    }
    queue.add('a/k 1', partyOf('a/k'), 'last')
    queue.add('b/k last', partyOf('b/k'), 'last')
    queue.add('c/k 0', partyOf('c/k'), 'last')
    queue.add('c/k 1', partyOf('c/k'), 'last')
    // c begins level with b, which has used 490 ms at its last turn.
    assert.deepEqual(takeAll(queue, { c: 600 }), ['c/k 0', 'b/k last', 'a/k 1', 'c/k 1'])
  })

  test('fair queue: skips items that do not fit, without overtaking within one credential', () => {
    const queue = queueOf(['a/k big', 'a/k small', 'b/k small'])
    const isSmall = (item: string) => item.endsWith('small')
    assert.equal(queue.take(isSmall), 'b/k small')
    assert.equal(queue.take(isSmall), undefined)
    assert.equal(queue.sizeOf('a'), 2)
  })

  test('fair queue: removes items and puts them back at the front', () => {
    const queue = queueOf(['a/k 0', 'a/k 1'])
    assert.equal(queue.remove('a/k 0', partyOf('a/k')), true)
    assert.equal(queue.remove('a/k 0', partyOf('a/k')), false)
    queue.add('a/k 0', partyOf('a/k'), 'first')
    assert.deepEqual(queue.items(), ['a/k 0', 'a/k 1'])
  })
})

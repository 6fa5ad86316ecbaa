import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlots } from './slots.ts'

test('slots: tasks with one key start in order, up to the limit; other keys do not wait', async () => {
  const slots = createSlots(2)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.push(() => resolve(name)))
  }
  const running = ['a', 'b', 'c', 'd'].map((name) => slots.run('one', {}, work(name)))
  const other = slots.run('two', {}, work('x'))
  await Promise.resolve()
  assert.deepEqual(begun, ['a', 'b', 'x'])
  ends[1]!()
  assert.equal(await running[1], 'b')
  assert.deepEqual(begun, ['a', 'b', 'x', 'c'])
  for (let next = 0; next < 5; next++) {
    ends[next]!()
    await new Promise(setImmediate)
  }
  assert.deepEqual(await Promise.all([...running, other]), ['a', 'b', 'c', 'd', 'x'])
})

test('slots: a failed task frees its slot', async () => {
  const slots = createSlots(1)
  await assert.rejects(
    slots.run('one', {}, () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal(await slots.run('one', {}, async () => 'next'), 'next')
})

test('slots: an aborted task leaves the queue and takes no slot', async () => {
  const slots = createSlots(1)
  const controller = new AbortController()
  let end = () => {}
  const first = slots.run('one', {}, () => new Promise<void>((resolve) => (end = resolve)))
  const second = slots.run('one', { signal: controller.signal }, async () => assert.fail('it ran'))
  const third = slots.run('one', {}, async () => 'third')
  controller.abort(new Error('given up'))
  await assert.rejects(second, /given up/)
  end()
  await first
  assert.equal(await third, 'third')
  await assert.rejects(
    slots.run('one', { signal: controller.signal }, async () => assert.fail('it ran')),
    /given up/,
  )
  assert.equal(await slots.run('one', {}, async () => 'fourth'), 'fourth')
})

test('slots: parties take turns, and one of them cannot occupy every slot', async () => {
  const slots = createSlots(8)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const begin = (party: string) =>
    slots.run('host', { party }, () => {
      begun.push(party)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const running = [...Array.from({ length: 10 }, () => begin('flood')), begin('other'), begin('other'), begin('other')]
  await Promise.resolve()
  assert.equal(begun.filter((party) => party === 'flood').length, 7)
  assert.equal(begun.at(-1), 'other')
  for (let next = 0; next < running.length; next++) {
    ends[next]!()
    await new Promise(setImmediate)
  }
  await Promise.all(running)
  assert.deepEqual(begun.slice(8, 12), ['flood', 'other', 'flood', 'other'])
})

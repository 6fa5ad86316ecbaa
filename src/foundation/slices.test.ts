import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSlices, sortInSlices } from './slices.ts'

/** Uses up a slice, however fast the machine is. */
function spendSlice(): void {
  const end = performance.now() + 9
  while (performance.now() < end);
}

test('createSlices: among concurrent tasks, one slice runs per turn of the event loop', async () => {
  let [turn, isOver] = [0, false]
  const turns: number[] = []
  const watch = async () => {
    for (; !isOver; turn++) await nextTurn()
  }
  const work = async () => {
    const pause = createSlices()
    for (let slice = 0; slice < 3; slice++) {
      spendSlice()
      await pause()
      turns.push(turn)
    }
  }
  const watching = watch()
  await Promise.all([work(), work(), work()])
  isOver = true
  await watching
  assert.equal(turns.length, 9)
  assert.equal(new Set(turns).size, 9, `slices ran in turns ${turns.join()}`)
})

test('sortInSlices: sorts a long list, stable for equal items', async () => {
  const items = Array.from({ length: 4500 }, (_, n) => ({ key: (n * 7919) % 1000, n }))
  const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
  assert.deepEqual(await sortInSlices(items, compare), items.toSorted(compare))
  assert.deepEqual(await sortInSlices([], compare), [])
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { volume } from '#test/volume.ts'
import { instrument } from '../verification/fuzz/coverage.ts'
import { createExecutor } from '../verification/fuzz/executor.ts'
import type { Input } from '../verification/fuzz/input.ts'
import type { Fault } from '../verification/fuzz/messages.ts'
import { minimize } from '../verification/fuzz/minimize.ts'
import { mutate } from '../verification/fuzz/mutate.ts'
import { createRandom } from '../verification/fuzz/random.ts'
import { listTargets } from '../verification/fuzz/targets.ts'
import { watch } from '../verification/fuzz/watch.ts'

const list = import.meta.resolve('#test/manifests/planted-targets.ts')
const MUTATIONS = volume(60)

describe('fuzz targets', () => {
  for (const target of listTargets()) {
    test(`${target.name}: gives a result or its refusal for mutated inputs, the same twice`, async () => {
      const { seeds, worlds = [] } = target.corpus()
      const executor = createExecutor(target, worlds)
      const random = createRandom(7)
      const donor = () => random.pick(seeds)
      const pantry = { random, tokens: [], donor, maxCharacters: 4_000 }
      const mutants = Array.from({ length: MUTATIONS }, () => mutate(donor(), pantry, target.hasManyTexts ?? false))
      for (const input of [...seeds.slice(0, MUTATIONS), ...mutants]) {
        const outcome = await executor.twice(input)
        // Only the fuzzer judges durations, on an otherwise idle machine.
        const isFault = typeof outcome === 'object' && outcome.kind !== 'too slow'
        assert.ok(!isFault, `${JSON.stringify(outcome)} of ${JSON.stringify(input).slice(0, 2_000)}`)
      }
    })
  }
})

describe('the fuzzer', () => {
  const fuzz = (task: { seed: number; inputs: number; text?: string }) =>
    watch(
      {
        list,
        target: task.text === undefined ? 'deep' : 'each kind',
        seed: task.seed,
        seconds: 60,
        inputs: task.inputs,
        only: task.text === undefined ? undefined : { texts: [task.text], world: 0 },
      },
      { hangMs: 600, memoryMb: 200 },
    )

  // "out of memory" is missing, as such a thread sometimes ends the process of all tests.
  const kinds: [text: string, kind: Fault['kind']][] = [
    ['plant loops', 'hung'],
    ['plant changes', 'changed a prototype'],
    ['plant differs', 'not the same twice'],
    ['plant waits', 'ended'],
    ['plant throws', 'threw'],
  ]
  for (const [text, kind] of kinds) {
    test(`fuzzer: reports an input that ${kind === 'ended' ? 'never ends' : kind}`, async () => {
      const { faults } = await fuzz({ seed: 1, inputs: 1, text })
      assert.deepEqual(
        faults.map((fault) => fault.kind),
        [kind],
      )
      assert.deepEqual(faults[0]!.input.texts, [text])
    })
  }

  test('fuzzer: finds an input by new branches and minimizes it', async () => {
    const { faults, progress } = await fuzz({ seed: 3, inputs: 15_000 })
    assert.deepEqual(
      faults.map(({ kind, message }) => [kind, /planted-targets\.ts/.test(message)]),
      [['threw', true]],
    )
    const [text] = faults[0]!.input.texts
    assert.match(text!, /^plant.*water|^plant\(+water/)
    assert.ok(text!.length <= 'plant'.length + 'water'.length + 7, text)
    assert.ok(progress!.inputs >= 15_000)
  })

  test('fuzzer: tries equal inputs for equal seeds', async () => {
    const [one, same, other] = [
      await fuzz({ seed: 4, inputs: 500 }),
      await fuzz({ seed: 4, inputs: 500 }),
      await fuzz({ seed: 5, inputs: 500 }),
    ].map(({ progress }) => [progress!.refused, progress!.kept, progress!.branches].join(' '))
    assert.equal(one, same)
    assert.notEqual(one, other)
  })
})

test('minimize: returns a smaller input with the same fault', async () => {
  const large: Input = { texts: ['abc', `${'x'.repeat(500)}!${'y'.repeat(500)}`, 'def'], world: 0 }
  const small = await minimize(large, async ({ texts }) => texts.some((text) => text.includes('!')))
  assert.equal(small.texts.join(''), '!')
})

describe('instrumented code', () => {
  const cases: [what: string, code: string, value: unknown][] = [
    ['conditions', 'const f = (a) => a ? { b: 1 } : a ?? 2\nreturn [f(1), f(0), f(undefined)]', [{ b: 1 }, 0, 2]],
    ['if without braces', 'let n = 0\nif (n) n = 1\nelse if (!n) if (n) n = 2; else n = 3\nreturn n', 3],
    ['if alone', 'let n = 1\nif (n) if (n) if (!n) n = 2\nreturn n', 1],
    ['loops', 'let n = 0\nfor (const a of [1, 2]) n += a\nwhile (n < 9) n++\ndo n++; while (n < 12)\nreturn n', 12],
    ['switch', 'switch (2) {\ncase 1:\ncase 2: return "two"\ndefault: return "none"\n}', 'two'],
    ['catch', 'try { null.x } catch { return "caught" }', 'caught'],
    ['functions', 'class A { m() { return (() => [this.n])() } n = 4 }\nreturn new A().m()', [4]],
    ['generators', 'function* g() { yield* [1, 2]; true && (yield 3) }\nreturn [...g()]', [1, 2, 3]],
  ]
  for (const [what, code, value] of cases) {
    test(`instrumented code behaves as before: ${what}`, () => {
      const { source, branches } = instrument(`export function run() {${code}}`, 0)
      const branchHits = new Uint8Array(100)
      const run = new Function('branchHits', `${source.replace('export ', '')}; return run()`) as (
        hits: Uint8Array,
      ) => unknown
      assert.deepEqual(run(branchHits), value)
      assert.ok(branches > 0 && branchHits.some((times) => times > 0))
      assert.equal(source.split('\n').length, code.split('\n').length)
    })
  }
})

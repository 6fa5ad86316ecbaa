import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const cases: readonly [percent: string | undefined, expression: string, value: unknown][] = [
  [undefined, 'volume(200)', 20],
  [undefined, 'volume(1)', 1],
  [undefined, 'volume(12, { atLeast: 3 })', 3],
  [undefined, 'volume(2, { atLeast: 3 })', 2],
  ['100', 'volume(200, { atLeast: 3 })', 200],
  ['1', 'volume(250)', 3],
  [undefined, 'sampleOf(Array.from({ length: 25 }, (_, n) => n))', [0, 8, 16]],
  [undefined, 'sampleOf([7])', [7]],
  [undefined, 'sampleOf([])', []],
  ['100', 'sampleOf([7, 8, 9])', [7, 8, 9]],
]
for (const [percent, expression, value] of cases) {
  test(`TEST_VOLUME ${percent ?? 'not set'}: ${expression} is ${JSON.stringify(value)}`, () => {
    assert.deepEqual(JSON.parse(evaluate(percent, expression)), value)
  })
}

for (const percent of ['0', '101', 'all']) {
  test(`TEST_VOLUME ${percent} is refused`, () => {
    assert.throws(() => evaluate(percent, 'volume(1)'), /percentage from 1 to 100/)
  })
}

function evaluate(percent: string | undefined, expression: string): string {
  const { TEST_VOLUME: _own, ...others } = process.env
  const program = `import { sampleOf, volume } from '#test/volume.ts'; console.log(JSON.stringify(${expression}))`
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...others, ...(percent !== undefined && { TEST_VOLUME: percent }) },
  })
}

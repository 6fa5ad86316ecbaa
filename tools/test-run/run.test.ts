import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { toBatches } from './batches.ts'
import { selectTestFiles, type TestFile } from './select.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, `${name}.test.ts`)
  writeFileSync(path, `import { describe, test } from 'node:test'\n${text}\n`)
  return path
}

function run(...args: string[]) {
  // A test runner inside a test runner would report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/test-run/run.ts', ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, printed: stdout + stderr }
}

describe('npm test', () => {
  const passing = file('passing', "test('holds', () => {})")
  const failing = file('failing', "test('breaks', () => { throw new Error('the reason') })")

  test('runs only the named files and counts their tests', () => {
    const { status, printed } = run(passing)
    assert.equal(status, 0, printed)
    assert.match(printed, /1 passed, 0 failed, 0 skipped\s*$/)
  })

  test('names a failure with its file and reason, and exits with 1', () => {
    const { status, printed } = run('--jobs', '2', passing, failing)
    assert.equal(status, 1, printed)
    assert.match(printed, /FAILED .*failing\.test\.ts: breaks\n.*the reason/)
    assert.match(printed, /1 passed, 1 failed, 0 skipped\s*$/)
  })

  test('exits with 1 when a process ends before its tests do', () => {
    const { status, printed } = run(
      '--jobs',
      '2',
      passing,
      file('crashing', "test('ends', () => process.exit(0))\ntest('never runs', () => {})"),
    )
    assert.equal(status, 1, printed)
    assert.match(printed, /ended without a summary/)
  })

  test('names the reason of a skip', () => {
    const { printed } = run(file('skipping', "test('needs a browser', { skip: 'no browser here' }, () => {})"))
    assert.match(printed, /1 × no browser here/)
    assert.match(printed, /0 passed, 0 failed, 1 skipped\s*$/)
  })

  test('refuses a pattern that matches nothing, and an unknown option', () => {
    assert.deepEqual([run('src/nothing-here.test.ts').status, run('--unknown').status], [2, 2])
  })

  test('--fast leaves out files that start a browser or a process', () => {
    const started = file(
      'starting',
      "import { spawn } from 'node:child_process'\ntest('starts', () => { spawn('true') })",
    )
    const { printed } = run('--fast', passing, started)
    assert.match(printed, /1 passed, 0 failed, 0 skipped\s*$/)
  })
})

describe('batches of test files', () => {
  const files: TestFile[] = Array.from({ length: 30 }, (_, index) => ({
    path: `${index}`,
    kind: 'plain',
    weight: index,
  }))

  test('hold every file once, the heaviest batch first', () => {
    const batches = toBatches(files, 2)
    assert.deepEqual(
      batches
        .flat()
        .map(({ path }) => Number(path))
        .sort((a, b) => a - b),
      files.map(({ weight }) => weight),
    )
    const weights = batches.map((batch) => batch.reduce((sum, { weight }) => sum + weight, 0))
    assert.deepEqual(
      weights,
      weights.toSorted((a, b) => b - a),
    )
  })

  test('one job gets one batch', () => {
    assert.equal(toBatches(files, 1).length, 1)
  })
})

test('every test file of the project is selected by default, once', () => {
  const paths = selectTestFiles([]).map(({ path }) => path)
  assert.ok(paths.includes('tools/test-run/run.test.ts'))
  assert.equal(new Set(paths).size, paths.length)
})

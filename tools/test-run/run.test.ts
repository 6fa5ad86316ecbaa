import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { until } from '#test/servers/webhooks.ts'
import { toBatches } from './batches.ts'
import { LONG_FILES, selectTestFiles, type TestFile } from './select.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, `${name}.test.ts`)
  writeFileSync(path, `import { describe, test } from 'node:test'\n${text}\n`)
  return path
}

function run(...args: string[]) {
  // A test runner inside a test runner would report to it, and use its browser.
  const { NODE_TEST_CONTEXT: _, TEST_BROWSER: __, ...env } = process.env
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

describe('the browser of a run', { skip: skipWithoutBrowser }, () => {
  const support = fileURLToPath(import.meta.resolve('#test/browser/browser.ts'))
  const inBrowser = (name: string, last: string) =>
    file(
      name,
      `import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
test('${name}', async () => {
  const { startBrowser } = await import('${support}')
  const browser = await startBrowser()
  const page: Page = await browser.newPage()
  const contexts = browser.contexts().length
  writeFileSync('${join(folder, name)}', JSON.stringify({ endpoint: process.env['TEST_BROWSER'], contexts }))
  ${last}
})`,
    )
  const written = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))

  test('is one for several files, each with contexts of its own; closing it in one leaves it to the other', () => {
    const paths = ['one', 'other'].map((name) => inBrowser(name, 'await browser.close()'))
    const { status, printed } = run('--jobs', '2', ...paths)
    assert.equal(status, 0, printed)
    assert.match(written('one').endpoint, /^ws:\/\/127\.0\.0\.1:/)
    assert.deepEqual(written('one'), written('other'))
    assert.equal(written('one').contexts, 1)
  })

  test('is started by a file that runs alone', () => {
    const { status, printed } = run(inBrowser('alone', 'await browser.close()'))
    assert.equal(status, 0, printed)
    assert.deepEqual(written('alone'), { contexts: 1 })
  })

  test('ends with a runner that is killed', async () => {
    const paths = ['waiting', 'waiting-too'].map((name) => inBrowser(name, 'await new Promise(() => {})'))
    const { NODE_TEST_CONTEXT: _, TEST_BROWSER: __, ...env } = process.env
    const runner = spawn(process.execPath, ['tools/test-run/run.ts', '--jobs', '1', ...paths], { env, stdio: 'ignore' })
    await until('a page is open', () => ['waiting', 'waiting-too'].some((name) => existsSync(join(folder, name))))
    const children = readFileSync(`/proc/${runner.pid}/task/${runner.pid}/children`, 'utf8').trim().split(' ')
    const isTesting = (id: string) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--test-isolation')
    const [testing, browsers] = [children.filter(isTesting), children.filter((id) => !isTesting(id))]
    assert.deepEqual([testing.length, browsers.length], [1, 1])
    runner.kill('SIGKILL')
    for (const id of testing) process.kill(Number(id), 'SIGKILL')
    await until('the browser has ended', () => !existsSync(`/proc/${browsers[0]}`))
  })
})

describe('batches of test files', () => {
  const files: TestFile[] = Array.from({ length: 30 }, (_, index) => ({
    path: `${index}`,
    kind: 'plain',
    weight: index,
  }))

  test('hold every file once, the batch with the longest file first', () => {
    const batches = toBatches(files, 2)
    assert.deepEqual(
      batches
        .flat()
        .map(({ path }) => Number(path))
        .sort((a, b) => a - b),
      files.map(({ weight }) => weight),
    )
    const longest = batches.map((batch) => Math.max(...batch.map(({ weight }) => weight)))
    assert.deepEqual(
      longest,
      longest.toSorted((a, b) => b - a),
    )
    const weights = batches.map((batch) => batch.reduce((sum, { weight }) => sum + weight, 0))
    assert.ok(Math.max(...weights) - Math.min(...weights) <= Math.max(...longest))
  })

  test('one job gets one batch', () => {
    assert.equal(toBatches(files, 1).length, 1)
  })

  test('component tests share a process that runs nothing else', () => {
    const components: TestFile[] = ['a.tsx', 'b.tsx'].map((path) => ({ path, kind: 'component', weight: 100 }))
    const batches = toBatches([...files, ...components], 2)
    assert.deepEqual(batches.at(-1), components)
    assert.ok(batches.slice(0, -1).every((batch) => batch.every(({ kind }) => kind === 'plain')))
    assert.deepEqual(toBatches(components, 1), [components])
  })
})

test('every test file of the project is selected by default, once', () => {
  const paths = selectTestFiles([]).map(({ path }) => path)
  assert.ok(paths.includes('tools/test-run/run.test.ts'))
  assert.equal(new Set(paths).size, paths.length)
})

test('long files are in the first batches, whatever their size', () => {
  const batches = toBatches(selectTestFiles([]), 4).map((batch) => batch.map(({ path }) => path))
  const first = batches.slice(0, 8).flat()
  assert.deepEqual(
    Object.keys(LONG_FILES).filter((path) => !first.includes(path)),
    [],
  )
})

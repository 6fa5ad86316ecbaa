import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { skipWithoutBrowser } from '#test/browser/browser.ts'
import { until } from '#test/servers/webhooks.ts'
import { toQueues } from './queue.ts'
import { LONG_FILES, selectTestFiles, type TestFile } from './select.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, `${name}.test.ts`)
  writeFileSync(path, `import { describe, test } from 'node:test'\n${text}\n`)
  return path
}

function run(...args: string[]) {
  return runWith({}, ...args)
}

function runWith(more: Record<string, string>, ...args: string[]) {
  // A test runner inside a test runner would report to it, and keep its browser.
  const { NODE_TEST_CONTEXT: _, TEST_KEEPS_BROWSER: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/test-run/run.ts', ...args], {
    env: { ...env, ...more },
    encoding: 'utf8',
  })
  return { status, printed: stdout + stderr }
}

describe('npm test', () => {
  const passing = file('passing', "test('holds', () => {})")
  const failing = file('failing', "test('breaks', () => { throw new Error('the reason') })")

  test('test run: runs only the named files and counts their tests', () => {
    const { status, printed } = run(passing)
    assert.equal(status, 0, printed)
    assert.match(printed, /1 passed, 0 failed, 0 skipped\s*$/)
  })

  describe('test run of files with one fault each', () => {
    const hooked = (hook: string) =>
      file(
        `broken-${hook}`,
        `import { ${hook} } from 'node:test'
describe('outer', () => {
  ${hook}(() => { throw new Error('the ${hook} hook broke') })
  test('inner', () => {})
})`,
      )
    let printed = ''
    before(() => {
      const output = run(
        ...['--jobs', '2', passing, failing, hooked('before'), hooked('after')],
        file('nested', "describe('outer', () => { test('inner', () => { throw new Error('no') }) })"),
        file('skipping', "test('needs a browser', { skip: 'no browser here' }, () => {})"),
        file('broken', "throw new Error('at the top')"),
      )
      printed = output.printed
      assert.equal(output.status, 1, printed)
    })

    test('test run: reports a failure with its file and reason', () => {
      assert.match(printed, /FAILED .*failing\.test\.ts: breaks\n.*the reason/)
    })

    test('test run: names a failed nested test with its suites', () => {
      assert.match(printed, /FAILED .*nested\.test\.ts: outer > inner\n/)
    })

    for (const hook of ['before', 'after']) {
      test(`test run: reports the error of a hook (${hook})`, () => {
        assert.match(printed, new RegExp(`FAILED .*broken-${hook}\\.test\\.ts: outer\n.*the ${hook} hook broke`))
      })
    }

    test('test run: reports a file that does not load', () => {
      assert.match(printed, /broken\.test\.ts: does not load\n.*at the top/)
    })

    test('test run: reports the reason of a skip', () => {
      assert.match(printed, /1 × no browser here/)
    })

    test('test run: counts the tests of all files', () => {
      assert.match(printed, /2 passed, 6 failed, 1 skipped\s*$/)
    })
  })

  test('test run: exits with 1 when a process ends before its tests, names its files and runs the others', () => {
    const crashing = file('crashing', "test('ends', () => process.exit(0))\ntest('never runs', () => {})")
    const { status, printed } = run('--jobs', '1', crashing, passing)
    assert.equal(status, 1, printed)
    assert.match(printed, /ended without a summary\. It had taken these files: .*crashing\.test\.ts/)
    assert.match(printed, /1 passed, 0 failed, 0 skipped\s*$/)
  })

  test('test run: releases what the tests of an earlier file held, and keeps hooks of the process', () => {
    // The longer file is the first.
    const first = file(
      'holding',
      `import { after, afterEach } from 'node:test'
      afterEach(() => { globalThis.ended = (globalThis.ended ?? 0) + 1 })
      describe('a suite', () => {
        const large = { items: Array.from({ length: 1000 }, (_, at) => at) }
        globalThis.known = new WeakRef(large)
        after(() => large.items.pop())
        test('uses it', () => void large.items.pop())
      })`,
    )
    const second = file(
      'checking',
      `import { equal } from 'node:assert'
      import { setImmediate } from 'node:timers/promises'
      test('is gone', async () => {
        await setImmediate()
        gc()
        equal(globalThis.known.deref(), undefined)
      })
      test('hook ran', () => equal(globalThis.ended >= 2, true))`,
    )
    const { status, printed } = runWith({ NODE_OPTIONS: '--expose-gc' }, '--jobs', '1', first, second)
    assert.equal(status, 0, printed)
    assert.match(printed, /3 passed, 0 failed, 0 skipped\s*$/)
  })

  test('test run: ends with 1 when its processes do not start', () => {
    const preload = join(folder, 'preload.cjs')
    writeFileSync(preload, "if (process.argv[1]?.endsWith('run-files.ts')) throw new Error('no start')")
    const { status, printed } = runWith({ NODE_OPTIONS: `--require ${preload}` }, '--jobs', '1', passing, failing)
    assert.equal(status, 1, printed)
    assert.match(printed, /no start/)
    assert.match(printed, /2 of 2 files did not run, as no process for them started\./)
  })

  test('test run: fails with an error outside of a test', () => {
    const late = file('late', "test('leaves a timer', () => { setTimeout(() => { throw new Error('too late') }, 1) })")
    const waiting = file('waits', "test('waits', () => new Promise((resolve) => setTimeout(resolve, 200)))")
    const { status, printed } = run('--jobs', '1', late, waiting)
    assert.equal(status, 1, printed)
    assert.match(printed, /FAILED .*: an error outside of a test\n.*too late/)
  })

  test('test run: refuses a pattern without files and an unknown option', () => {
    assert.deepEqual([run('src/nothing-here.test.ts').status, run('--unknown').status], [2, 2])
  })

  test('test run: --fast leaves out files that start a browser, a process or a server', () => {
    const started = file(
      'starting',
      "import { spawn } from 'node:child_process'\ntest('starts', () => { spawn('true') })",
    )
    const serving = file(
      'serving',
      "import { startApp } from '#test/servers/app.ts'\ntest('serves', () => void startApp)",
    )
    const { printed } = run('--fast', passing, started, serving)
    assert.match(printed, /1 passed, 0 failed, 0 skipped\s*$/)
  })
})

describe('the browsers of a test run', { skip: skipWithoutBrowser }, () => {
  const support = fileURLToPath(import.meta.resolve('#test/browser/browser.ts'))
  const children = `/proc/\${process.pid}/task/\${process.pid}/children`
  const inBrowser = (name: string, last: string) =>
    file(
      name,
      `import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
test('${name}', async () => {
  const { startBrowser } = await import('${support}')
  const browser = await startBrowser()
  const context = await browser.newContext()
  const page: Page = await context.newPage()
  const cookies = (await context.cookies()).length
  await context.addCookies([{ name: 'one', value: 'two', url: 'http://shop.example' }])
  const processes = readFileSync(\`${children}\`, 'utf8').trim().split(' ')
  writeFileSync('${join(folder, name)}', JSON.stringify({ processes, cookies }))
  ${last}
  if (!page.isClosed()) throw new Error('a page is left')
})`,
    )
  const written = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const areGone = (ids: readonly string[]) => !ids.some((id) => existsSync(`/proc/${id}`))

  test('a process has one browser for its files, each with a profile of its own', async () => {
    const paths = ['one', 'other'].map((name) => inBrowser(name, 'await browser.close()'))
    const { status, printed } = run('--jobs', '1', ...paths)
    assert.equal(status, 0, printed)
    const { processes, cookies } = written('one')
    assert.deepEqual([processes.length, cookies], [1, 0])
    assert.deepEqual(written('other'), written('one'))
    await until('the browser has ended', () => areGone(processes))
  })

  test('a file that runs alone ends its browser', () => {
    const { status, printed } = run(
      inBrowser(
        'alone',
        'await browser.close()\n  if (readFileSync(`' + children + "`, 'utf8') !== '') throw new Error('it is left')",
      ),
    )
    assert.equal(status, 0, printed)
  })

  test('a killed runner ends tests and browsers', async () => {
    const paths = ['waiting', 'waiting-too'].map((name) => inBrowser(name, 'await new Promise(() => {})'))
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const runner = spawn(process.execPath, ['tools/test-run/run.ts', '--jobs', '1', ...paths], { env, stdio: 'ignore' })
    const opened = () => ['waiting', 'waiting-too'].find((name) => existsSync(join(folder, name)))
    let testing: string[]
    try {
      await until('a page is open', () => opened() !== undefined)
      testing = readFileSync(`/proc/${runner.pid}/task/${runner.pid}/children`, 'utf8').trim().split(' ')
    } finally {
      runner.kill('SIGKILL')
    }
    assert.equal(testing.length, 1)
    await until('browser and tests have ended', () => areGone([...testing, ...written(opened()!).processes]))
  })
})

describe('queues of test files', () => {
  const files: TestFile[] = Array.from({ length: 30 }, (_, index) => ({
    path: `${index}`,
    kind: index % 3 === 0 ? 'component' : 'plain',
    weight: index,
  }))

  test('queues hold every file once, the longest first; component tests have one of their own', () => {
    const [usual, components] = toQueues(files)
    assert.deepEqual([usual?.needsDocument, components?.needsDocument], [false, true])
    assert.deepEqual(
      components?.files.map(({ weight }) => weight),
      [27, 24, 21, 18, 15, 12, 9, 6, 3, 0],
    )
    assert.equal(usual!.files.length + components!.files.length, files.length)
    assert.ok(usual!.files.every(({ weight }, at) => at === 0 || weight < usual!.files[at - 1]!.weight))
  })

  test('queues: none without a file', () => {
    assert.deepEqual(
      toQueues([{ path: 'a.test.tsx', kind: 'component', weight: 1 }]).map(({ needsDocument }) => needsDocument),
      [true],
    )
  })
})

const project = selectTestFiles([])

test('every test file of the project is selected once by default', () => {
  const paths = project.map(({ path }) => path)
  assert.ok(paths.includes('tools/test-run/run.test.ts'))
  assert.equal(new Set(paths).size, paths.length)
})

test('long files: exist and begin before all others of their size', () => {
  const [usual] = toQueues(project)
  const first = usual!.files.slice(0, 20).map(({ path }) => path)
  assert.deepEqual(
    Object.keys(LONG_FILES).filter((path) => !first.includes(path)),
    [],
  )
})

describe('test files, which share processes', () => {
  const texts = new Map(project.map(({ path }) => [path, readFileSync(path, 'utf8')]))
  const matching = (pattern: RegExp) => [...texts].filter(([, text]) => pattern.test(text)).map(([path]) => path)

  test('test files: `before` and `beforeEach` stand in suites, as at the top they run in the first file of a process only', () => {
    assert.deepEqual(matching(/^before(?:Each)?\(/m), [])
  })

  test('test files: no suite waits while it adds its tests, as they would be added to the file instead', () => {
    assert.deepEqual(matching(/^\s*(?:describe|on\w+Engine|onPostgres)\(.*, async \(.*\) => \{$/m), [])
  })

  test('component tests: no assertion describes an element when it fails, as that takes minutes and gigabytes', () => {
    const output =
      /\bassert\.(?:equal|strictEqual|deepEqual)\(.*\b(?:queryBy\w+|querySelector)\(.*\), null\)|\(document\.activeElement, /
    assert.deepEqual(matching(output), [])
  })
})

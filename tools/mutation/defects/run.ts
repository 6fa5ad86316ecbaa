/**
 * Brings known defects back, one at a time in a copy, and tells which of them no test notices (docs/mutation.md):
 *
 *     node tools/mutation/defects/run.ts [a part of a title or path]…
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Defect } from './defect.ts'
import { defects } from './index.ts'

const FILE_MINUTES = 10
/** A test that waits forever for something lost by the defect has failed. */
const TEST_MINUTES = 2

const parts = process.argv.slice(2)
const chosen = defects.filter(({ title, file }) => parts.every((part) => `${title} ${file}`.includes(part)))
const copy = mkdtempSync(join(tmpdir(), 'gatehouse-defects-'))
try {
  process.exitCode = judgeAll(chosen) ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** Prints a row for each defect. Returns true if a test notices every one. */
function judgeAll(all: readonly Defect[]): boolean {
  copyProject()
  const sound = new Map<string, boolean>()
  console.log('| defect | test | result |\n|---|---|---|')
  let missed = 0
  for (const defect of all) {
    const result = judge(defect, sound)
    if (!result.isNoticed) missed++
    console.log(`| ${defect.title} | ${result.test} | ${result.words} |`)
  }
  console.log(`\n${all.length - missed} of ${all.length} defects are noticed.`)
  return missed === 0 && all.length > 0
}

/** Copies what git tracks or could track; installed packages are linked. */
function copyProject(): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const file of stdout.split('\0').filter(Boolean)) cpSync(file, join(copy, file))
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
}

interface Judged {
  readonly test: string
  readonly words: string
  readonly isNoticed: boolean
}

/** Runs the tests of a defect in turn until one fails that passes without it. */
function judge({ file, text, replacement, tests, names }: Defect, sound: Map<string, boolean>): Judged {
  const path = join(copy, file)
  const original = readFileSync(path, 'utf8')
  if (original.split(text).length !== 2)
    return { test: '', words: `${file} does not hold the text once`, isNoticed: false }
  for (const test of tests) {
    const key = `${test} ${names}`
    if (!sound.has(key)) sound.set(key, runTest(test, names).end === 'passed')
    if (!sound.get(key)) return { test, words: 'the test fails without the defect', isNoticed: false }
    writeFileSync(
      path,
      original.replace(text, () => replacement),
    )
    const { end, first } = runTest(test, names)
    writeFileSync(path, original)
    if (end === 'failed') return { test, words: `fails: ${first}`, isNoticed: true }
  }
  return { test: tests.join(' '), words: 'no test fails', isNoticed: false }
}

/** Runs a test file. One that cannot be loaded, or does not end before a test of it failed, says nothing about a defect. */
function runTest(test: string, names?: string): { end: 'passed' | 'failed' | 'broken'; first: string } {
  const args = ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=tap']
  args.push('--test-timeout', String(TEST_MINUTES * 60_000))
  if (test.startsWith('web/')) args.unshift('--import', './web/testing/register.ts')
  if (names !== undefined) args.push('--test-name-pattern', names)
  const { stdout, status } = spawnSync(process.execPath, [...args, test], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: FILE_MINUTES * 60_000,
  })
  // Output may be cut off where the end is forced, so that the status decides.
  const isBroken = /SyntaxError|ERR_MODULE_NOT_FOUND|ERR_INVALID_TYPESCRIPT_SYNTAX/.test(stdout)
  const first = /^\s*not ok \d+ - (.*)$/m.exec(stdout)?.[1] ?? ''
  const isFailed = status === 1 || (status === null && first !== '')
  const end = status === 0 ? 'passed' : isFailed && !isBroken ? 'failed' : 'broken'
  return { end, first: first.replaceAll('|', '\\|').slice(0, 80) }
}

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const document = readFileSync('docs/security.md', 'utf8')
const levels = 'MUST NOT|MUST|SHOULD NOT|SHOULD|MAY'

/** Returns the names of the rules in a test file. */
function rulesOf(file: string): string[] {
  const rule = new RegExp(`'(§[\\d.]+)',\\s*'(${levels})',\\s*'((?:[^'\\\\]|\\\\.)*)'`, 'g')
  return [...readFileSync(file, 'utf8').matchAll(rule)].map(([, section, level, says]) =>
    toName(section!, level!, says!.replaceAll("\\'", "'")),
  )
}

/** Returns the rows below the heading that links to the file. */
function rowsOf(file: string): string[] {
  const from = document.indexOf(`](../${file})`)
  assert.notEqual(from, -1, `docs/security.md has no part about ${file}`)
  const part = document.slice(from).split('\n## ', 1)[0]!
  const row = new RegExp(`^\\| (§[\\d.]+) \\| (${levels}) \\| (.+) \\|$`, 'gm')
  return [...part.matchAll(row)].map(([, section, level, says]) => toName(section!, level!, says!))
}

function toName(section: string, level: string, says: string): string {
  return `${section} ${level}: ${says}`
}

describe('docs/security.md', () => {
  for (const file of globSync('src/features/oauth/rfc/*.test.ts').sort()) {
    test(`docs/security.md lists exactly the rules of ${file}`, () => {
      const rules = rulesOf(file)
      assert.ok(rules.length > 0)
      assert.deepEqual(rowsOf(file), rules)
    })
  }

  const ofBrowsers = [
    'src/features/sign-in/console-session.test.ts',
    'src/features/passwords/password-resets.test.ts',
    'src/features/sign-in/second-step.test.ts',
    'src/features/sign-in/passkeys.test.ts',
    'src/features/second-factors/factors.test.ts',
    'src/features/second-factors/requirement.test.ts',
    'src/features/sign-in/second-step-of-apps.test.ts',
    'src/features/sign-in/single-sign-on/attacks.test.ts',
    'src/features/sign-in/single-sign-on/required.test.ts',
    'src/features/single-sign-on/back-channel-logout.test.ts',
    'src/features/single-sign-on/disabled-users.test.ts',
  ]
  for (const file of ofBrowsers) {
    test(`docs/security.md lists exactly the tests of ${file}`, () => {
      const titles = [...readFileSync(file, 'utf8').matchAll(/^ +test\('([^']+)'/gm)].map(([, title]) => title)
      const part = document.slice(document.indexOf(`](../${file})`)).split('\n## ', 1)[0]!
      const rows = [...part.matchAll(/^\| [a-zA-Z, ]+ \| (.+) \|$/gm)].map(([, title]) => title)
      assert.ok(titles.length > 0)
      assert.deepEqual(rows.slice(1), titles)
    })
  }

  test('docs/security.md links to existing files', () => {
    for (const [, path] of document.matchAll(/\]\(\.\.\/([^)]+)\)/g)) {
      assert.deepEqual(globSync(path!), [path])
    }
  })
})

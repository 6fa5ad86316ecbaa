import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applySetting } from './policy-file.ts'
import { isPolicyText, MAX_POLICY_CHARACTERS, MAX_RULES, readPolicy } from './read-policy.ts'
import { writePolicy } from './write-policy.ts'

const head = 'version: v1.25.0\n'
const ignoring = (entries: string, id = 'CVE-2031-0001') => `${head}ignore:\n  ${id}:\n${entries}`
const whole = "    - '*':\n"

describe('policy files', () => {
  test('readPolicy: returns ignores with paths, reason, expiry and kind', () => {
    const { rules, exclusions, notes } = readPolicy(`# Snyk (https://policy.test) policy file
version: v1.25.0
ignore:
  'npm:left-pad:20310101':
    - '*':
        reason: Not reached
        expires: 2031-02-03T04:05:06.789Z
        created: 2030-01-01T00:00:00.000Z
    - 'express > qs@6.x':
        reason: >-
          Only
          internal
        disregardIfFixable: true
        reasonType: wont-fix
        ignoredBy: {name: Ann}
        source: cli
  GHSA-AAAA-bbbb-CCCC:
    - a@1 > * > b:
patch: {}
`)
    assert.deepEqual(notes, [])
    assert.deepEqual(exclusions, [])
    assert.deepEqual(rules, [
      {
        issueId: 'npm:left-pad:20310101',
        path: '*',
        reason: 'Not reached',
        reasonType: 'temporary-ignore',
        disregardIfFixable: false,
        expiresAt: Date.UTC(2031, 1, 3, 4, 5, 6, 789),
        line: 5,
      },
      {
        issueId: 'npm:left-pad:20310101',
        path: 'express > qs@6.x',
        reason: 'Only internal',
        reasonType: 'wont-fix',
        disregardIfFixable: true,
        expiresAt: null,
        line: 9,
      },
      {
        issueId: 'GHSA-aaaa-bbbb-cccc',
        path: 'a@1 > * > b',
        reason: undefined,
        reasonType: 'temporary-ignore',
        disregardIfFixable: false,
        expiresAt: null,
        line: 18,
      },
    ])
  })

  test('readPolicy: without content or with empty sections, returns nothing', () => {
    for (const text of [
      '',
      '\n# only a comment\n',
      head,
      `${head}ignore: {}\npatch: {}\n`,
      `${head}ignore:\nexclude:\n`,
    ]) {
      assert.deepEqual(readPolicy(text), { rules: [], exclusions: [], notes: [] }, text)
    }
  })

  test('readPolicy: accepts details indented like their path', () => {
    const [rule] = readPolicy(ignoring("    - '*':\n      reason: because\n      expires: 2031-01-01\n")).rules
    assert.deepEqual([rule?.path, rule?.reason, rule?.expiresAt], ['*', 'because', Date.UTC(2031, 0, 1)])
  })

  test('readPolicy: accepts several paths in one entry', () => {
    const { rules } = readPolicy(ignoring("    - 'a > b': {reason: x}\n      'c': {reason: y}\n"))
    assert.deepEqual(
      rules.map(({ path, reason }) => [path, reason]),
      [
        ['a > b', 'x'],
        ['c', 'y'],
      ],
    )
  })

  test('readPolicy: keeps the later expiry of a repeated path, with a note', () => {
    const { rules, notes } = readPolicy(
      ignoring(`${whole}        expires: 2030-01-01\n${whole}        expires: 2031-01-01\n`),
    )
    assert.deepEqual(
      rules.map(({ expiresAt }) => expiresAt),
      [Date.UTC(2031, 0, 1)],
    )
    assert.match(notes[0]!, /repeated.*line 6/)
  })

  test('readPolicy: drops the prefix "snyk:" of license issues', () => {
    assert.equal(readPolicy(ignoring(whole, "'snyk:lic:npm:x:MPL-2.0'")).rules[0]?.issueId, 'lic:npm:x:MPL-2.0')
  })

  const unapplied: readonly (readonly [what: string, text: string, note: RegExp])[] = [
    [
      'an unreadable expiry',
      ignoring(`${whole}        expires: soon\n`),
      /CVE-2031-0001 was not applied: "soon".*line 4/,
    ],
    ['a date that does not exist', ignoring(`${whole}        expires: 2031-02-30\n`), /2031-02-30/],
    ['a path with a pattern', ignoring("    - 'lodash > **':\n"), /its path has a \*.*line 4/],
    ['two successive stars', ignoring("    - 'a > * > *':\n"), /two \* follow each other.*line 4/],
    ['a misspelled expiry', ignoring(`${whole}        expire: 2020-01-01\n`), /unknown key "expire"/],
    ['an expiry with a capital', ignoring(`${whole}        Expires: 2020-01-01\n`), /unknown key "Expires"/],
    [
      'a misspelled limit to issues without a fix',
      ignoring(`${whole}        disregardIfFixed: true\n`),
      /unknown key "disregardIfFixed"/,
    ],
    ['an empty part of a path', ignoring("    - 'a >  > b':\n"), /its path has an empty part/],
    ['control characters in a path', ignoring('    - "a\\0b":\n'), /control characters/],
    ['an entry without a path', ignoring('    - just-text\n'), /expected a map of a path/],
    ['details that are a string', ignoring("    - '*': because\n"), /expected a map of details/],
    [
      'details both beside and below a path',
      ignoring(`${whole}        reason: x\n      expires: 2031-01-01\n`),
      /indent/,
    ],
    ['paths that are not a list', `${head}ignore:\n  X:\n    '*': {reason: x}\n`, /expected a list of paths/],
    ['a word instead of true or false', ignoring(`${whole}        disregardIfFixable: maybe\n`), /true or false/],
    ['ignores that are a list', `${head}ignore:\n  - X\n`, /expected a map of issue ids/],
    ['details that are merged', ignoring("    - '*': {<<: {expires: 2020-01-01}, reason: x}\n"), /merge keys/],
    ['patches', `${head}patch:\n  X:\n    - a:\n        patched: 2031-01-01\n`, /Patches are not applied: 1 issue/],
    ['an unknown key', `${head}ignores:\n  X:\n    - '*':\n`, /unknown key "ignores".*line 2/],
    ['a setting of another tool', `${head}language-settings:\n  python: '3.12'\n`, /setting "language-settings"/],
    ['YAML with an error', `${head}ignore: [\n`, /Not applied: Invalid YAML.*line/],
    ['a repeated key', `${ignoring(whole)}ignore: {}\n`, /Not applied/],
    ['several documents', `${ignoring(whole)}---\n${ignoring(whole)}`, /Not applied/],
    ['a list', '- version: v1\n', /Not applied: Invalid YAML: expected a map/],
    ['a text', 'nothing', /Not applied/],
    ['another version', 'version: v2.0.0\nignore: {}\n', /version v2[.]0[.]0/],
  ]
  for (const [what, text, note] of unapplied) {
    test(`readPolicy, ${what}: noted and not applied`, () => {
      const { rules, notes } = readPolicy(text)
      assert.deepEqual(rules, [])
      assert.match(notes.join('\n'), note)
    })
  }

  test('readPolicy: returns global exclusions, with and without details', () => {
    const { exclusions, notes } = readPolicy(`${head}exclude:
  global:
    - examples
    - old/**:
        reason: legacy
        expires: 2031-01-01
    - docs/*.txt:
      reason: beside
    - '!kept'
    - ../outside
    - late:
        expires: never
    - over:
        expiry: 2020-01-01
  code:
    - generated
`)
    assert.deepEqual(
      exclusions.map(({ pattern, reason, expiresAt }) => [pattern, reason, expiresAt]),
      [
        ['examples', undefined, null],
        ['old/**', 'legacy', Date.UTC(2031, 0, 1)],
        ['docs/*.txt', 'beside', null],
      ],
    )
    assert.deepEqual(
      notes.map((note) => /"(!kept|\.\.\/outside|late|over|code)"/.exec(note)?.[1]),
      ['!kept', '../outside', 'late', 'over', 'code'],
    )
  })

  test('isPolicyText: recognizes policy files without a name', () => {
    for (const text of [
      head,
      `\ufeff${head}`,
      `# a comment\n\n${head}`,
      '---\nignore:\n',
      'exclude:\n',
      "'version': 'v1'\n",
    ]) {
      assert.ok(isPolicyText(text), text)
    }
    for (const text of [
      '',
      '{"version":"v1"}',
      "lockfileVersion: '9.0'\n",
      'packages:\n  - a\n',
      'version: 1\n',
      'a==1\n',
    ]) {
      assert.ok(!isPolicyText(text), text)
    }
  })

  test('writePolicy: written rules read the same again', () => {
    const { rules } = readPolicy(ignoring(`${whole}        reason: x\n        expires: 2031-01-01\n    - a > b:\n`))
    const again = readPolicy(writePolicy(rules)).rules
    const withoutLine = (all: typeof rules) => all.map(({ line: _, ...rest }) => rest)
    assert.deepEqual(withoutLine(again), withoutLine(rules))
  })
})

describe('hostile policy files', () => {
  test('a policy file above the length limit: nothing is applied', () => {
    const { rules, notes } = readPolicy(ignoring(whole) + '#'.repeat(MAX_POLICY_CHARACTERS))
    assert.deepEqual(rules, [])
    assert.match(notes[0]!, /exceeds 262144 characters/)
  })

  test('a policy file with more rules than the limit: nothing is applied', () => {
    const text = `ignore:\n${Array.from({ length: MAX_RULES + 1 }, (_, at) => `  X-${at}:\n    - '*':\n`).join('')}`
    const { rules, notes } = readPolicy(text)
    assert.deepEqual(rules, [])
    assert.match(notes[0]!, /exceeds 2000 rules/)
    assert.equal(readPolicy(text.replace(/ {2}X-0:\n.*\n/, '')).rules.length, MAX_RULES)
  })

  test('more paths of one issue than the limit: the first 100 are applied, the rest noted', () => {
    const { rules, notes } = readPolicy(ignoring(Array.from({ length: 101 }, (_, at) => `    - p${at}:\n`).join('')))
    assert.equal(rules.length, 100)
    assert.match(notes[0]!, /Only 100 paths/)
  })

  test('YAML aliases are resolved; too many of them are refused', () => {
    const shared = `ignore:\n  A: &one\n    - '*': &details {reason: x}\n  B: *one\n  C:\n    - a: *details\n`
    assert.deepEqual(
      readPolicy(shared).rules.map(({ issueId, path, reason }) => [issueId, path, reason]),
      [
        ['A', '*', 'x'],
        ['B', '*', 'x'],
        ['C', 'a', 'x'],
      ],
    )
    const many = Array.from({ length: 200 }, (_, at) => `  B-${at}: *one\n`).join('')
    assert.match(readPolicy(`ignore:\n  A: &one\n    - '*':\n${many}`).notes[0]!, /aliases/)
    assert.deepEqual(readPolicy('ignore: &all\n  A: *all\n').rules, [])
  })

  test('deeply nested YAML is refused', () => {
    const { rules, notes } = readPolicy(`ignore: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`)
    assert.deepEqual(rules, [])
    assert.match(notes[0]!, /nesting exceeded/)
  })

  test('__proto__ and constructor are ordinary ids and paths', () => {
    const { rules } = readPolicy('ignore:\n  __proto__:\n    - constructor:\n        __proto__: x\n')
    assert.deepEqual(
      rules.map(({ issueId, path }) => [issueId, path]),
      [['__proto__', 'constructor']],
    )
    assert.equal(({} as { reason?: string }).reason, undefined)
  })

  test('control characters in a reason are replaced, and long reasons are cut', () => {
    const [rule] = readPolicy(ignoring(`${whole}        reason: "a\\0b\\x1b[2J${'c'.repeat(6_000)}"\n`)).rules
    assert.match(rule!.reason!, /^a\ufffdb\ufffd\[2Jc+$/)
    assert.equal(rule!.reason!.length, 5_000)
    const [apart] = readPolicy(ignoring(`${whole}        reason: ${'c'.repeat(4_999)} d\n`)).rules
    assert.equal(apart!.reason, 'c'.repeat(4_999))
  })

  test('more than 20 notes are counted instead of listed', () => {
    const { notes } = readPolicy(ignoring(Array.from({ length: 90 }, () => '    - text\n').join('')))
    assert.equal(notes.length, 21)
    assert.match(notes.at(-1)!, /70 more/)
  })
})

describe('settings of the organization for policy files', () => {
  const file = readPolicy(
    `${ignoring(`${whole}        reason: None given\n    - a: {reason: known}\n`)}exclude:\n  global:\n    - b\n    - c: {reason: known}\n`,
  )

  test('setting "allow": everything applies', () => {
    assert.deepEqual(applySetting(file, 'allow'), file)
  })

  test('setting "require-reason": rules and exclusions without a reason are not applied, with notes', () => {
    const { rules, exclusions, notes } = applySetting(file, 'require-reason')
    assert.deepEqual([rules.map(({ path }) => path), exclusions.map(({ pattern }) => pattern)], [['a'], ['c']])
    assert.match(notes[0]!, /requires a reason, so the ignore of CVE-2031-0001 was not applied \(line 4\)/)
    assert.match(notes[1]!, /exclusion of b was not applied/)
  })

  test('setting "forbid": nothing applies, with a note', () => {
    const { rules, exclusions, notes } = applySetting(file, 'forbid')
    assert.deepEqual([rules, exclusions], [[], []])
    assert.deepEqual(notes, ['The organization forbids policy files, so its 4 rules were not applied'])
  })
})

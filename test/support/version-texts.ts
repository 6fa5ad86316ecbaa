import fc from 'fast-check'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

type SchemeId = VersionScheme['id']
type Tokens = readonly string[]

/** What versions of one scheme are made of, and how its ranges put a bound. */
interface Spelling {
  readonly prefixes: Tokens
  readonly words: Tokens
  readonly separators: Tokens
  /** Each takes one or two bounds. */
  readonly ranges: readonly ((bound: string, other: string) => string)[]
  readonly joints: Tokens
}

const NUMBERS = ['0', '1', '2', '3', '9', '10', '11', '00', '01', '007', '100', '2024', '20240131', '20240131123456']
const LIMITS = [
  '999999999',
  '1000000000',
  '2147483647',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '999999999999999999',
  '1000000000000000000',
  '9223372036854775807',
  '18446744073709551616',
  '99999999999999999999999999',
]
const STRANGERS = [
  '',
  ' ',
  '\t',
  '\n',
  '*',
  '@',
  '/',
  '~',
  '__proto__',
  'constructor',
  'é',
  '\u0663',
  '\u00a0',
  '\u0085',
  '\u212a',
  ',',
  ')',
  '[',
]

const operators = (known: Tokens): Spelling['ranges'] =>
  known.flatMap((operator) => [(bound: string) => `${operator}${bound}`, (bound: string) => ` ${operator} ${bound} `])

const SPELLINGS: Readonly<Record<SchemeId, Spelling>> = {
  npm: {
    prefixes: ['', '', '', 'v', '=', ' = v', 'V'],
    words: ['alpha', 'beta', 'rc', 'next', 'a', 'B', 'x', 'X', 'canary-abc123', '-', '0a', 'build'],
    separators: ['.', '.', '-', '-', '+', ''],
    ranges: [
      ...operators(['', '^', '~', '~>', '=', '<', '<=', '>', '>=']),
      (bound) => `${bound}.x`,
      (bound) => `${bound}.*`,
      (bound, other) => `${bound} - ${other}`,
      () => '*',
      () => '',
    ],
    joints: [' ', ' || ', '||', ', '],
  },
  pep440: {
    prefixes: ['', '', '', '', 'v', '0!', '1!', '2!', ' '],
    words: [
      'a',
      'b',
      'c',
      'rc',
      'alpha',
      'beta',
      'pre',
      'preview',
      'post',
      'rev',
      'r',
      'dev',
      'DEV',
      'RC',
      'ubuntu',
      'final',
    ],
    separators: ['.', '.', '-', '_', '+', '', ''],
    ranges: [
      ...operators(['==', '!=', '~=', '<', '<=', '>', '>=', '===']),
      (bound) => `==${bound}.*`,
      (bound) => `!=${bound}.*`,
      () => '',
    ],
    joints: [',', ', ', ' , '],
  },
  rubygems: {
    prefixes: ['', '', '', '', ' ', '\n'],
    words: ['a', 'b', 'B', 'pre', 'rc', 'beta', 'alpha', 'java', 'x', 'Z'],
    separators: ['.', '.', '.', '-', ''],
    ranges: [...operators(['', '=', '!=', '<', '<=', '>', '>=', '~>', '~>'])],
    joints: [',', ', '],
  },
  maven: {
    prefixes: ['', '', '', '', '', 'v', 'r', '.', '-'],
    words: [
      'alpha',
      'beta',
      'a',
      'b',
      'm',
      'milestone',
      'rc',
      'cr',
      'snapshot',
      'SNAPSHOT',
      'ga',
      'final',
      'Release',
      'sp',
      'jre',
      'x',
      '_',
      '+',
      'GA',
    ],
    separators: ['.', '.', '-', '-', '', '_'],
    ranges: [
      (bound) => bound,
      (bound) => `[${bound}]`,
      (bound) => `[${bound},)`,
      (bound) => `(${bound}, )`,
      (bound) => `(,${bound})`,
      (bound) => `( ,${bound}]`,
      (bound, other) => `[${bound},${other})`,
      (bound, other) => `(${bound},${other}]`,
      (bound, other) => `[${other}, ${bound}]`,
      () => '(,)',
    ],
    joints: [',', ', ', ''],
  },
  go: {
    prefixes: ['', 'v', 'v', 'v', 'V', 'go'],
    words: [
      'alpha',
      'beta',
      'rc',
      'pre',
      'incompatible',
      'x',
      'B',
      '0.20240131123456-abcdef012345',
      '20240131123456-abcdef012345',
      '-',
      '0a',
    ],
    separators: ['.', '.', '-', '-', '+', ''],
    ranges: [...operators(['', '<', '<=', '>', '>='])],
    joints: [' '],
  },
}

/** Ordinary versions of the scheme, and ones that nobody would publish. */
export function versionTexts(id: SchemeId): fc.Arbitrary<string> {
  return versionTokens(SPELLINGS[id]).map(toText)
}

/** Two versions that mostly differ in a place or two, where orderings go wrong. */
export function versionPairs(id: SchemeId): fc.Arbitrary<[string, string]> {
  const tokens = versionTokens(SPELLINGS[id])
  return fc.oneof(
    { weight: 1, arbitrary: fc.tuple(tokens.map(toText), tokens.map(toText)) },
    { weight: 4, arbitrary: neighbours(SPELLINGS[id]) },
  )
}

/** A version and a range whose bounds lie near it. */
export function versionsWithRange(id: SchemeId): fc.Arbitrary<[string, string]> {
  const spelling = SPELLINGS[id]
  const bound = fc.tuple(edits(spelling), edits(spelling), fc.constantFrom(...spelling.ranges))
  return fc
    .tuple(
      versionTokens(spelling),
      fc.array(bound, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...spelling.joints),
    )
    .map(([version, bounds, joint]) => [
      toText(version),
      bounds
        .map(([first, second, spell]) => spell(toText(edit(version, first)), toText(edit(version, second))))
        .join(joint),
    ])
}

function toText(tokens: Tokens): string {
  return tokens.join('')
}

function versionTokens(spelling: Spelling): fc.Arbitrary<Tokens> {
  return fc.oneof(
    { weight: 4, arbitrary: plausible(spelling) },
    { weight: 1, arbitrary: fc.array(token(spelling), { maxLength: 9 }) },
  )
}

function plausible({ prefixes, words, separators }: Spelling): fc.Arbitrary<Tokens> {
  const label = fc.tuple(
    fc.constantFrom(...separators),
    fc.constantFrom(...words),
    fc.constantFrom(...separators),
    number(),
  )
  const suffix = fc.oneof(
    label,
    fc.tuple(fc.constantFrom(...separators), number()),
    label.map((parts) => parts.slice(0, 2)),
  )
  return fc
    .tuple(fc.constantFrom(...prefixes), numbers(), fc.array(suffix, { maxLength: 3 }))
    .map(([prefix, release, suffixes]) => [prefix, ...release, ...suffixes.flat()])
}

function numbers(): fc.Arbitrary<Tokens> {
  const three = fc.tuple(number(), number(), number())
  const any = fc.array(number(), { minLength: 1, maxLength: 5 })
  return fc
    .oneof({ weight: 3, arbitrary: three }, { weight: 2, arbitrary: any })
    .map((all) => all.flatMap((n, i) => (i === 0 ? [n] : ['.', n])))
}

function number(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('0', '0', '1', '1', '2', '3', '10') },
    { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
    { weight: 1, arbitrary: fc.constantFrom(...LIMITS) },
  )
}

function token({ prefixes, words, separators }: Spelling): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: number() },
    { weight: 5, arbitrary: fc.constantFrom(...separators) },
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.constantFrom(...prefixes) },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGERS) },
  )
}

interface Edit {
  readonly action: 'drop' | 'insert' | 'replace' | 'cut'
  readonly at: number
  readonly token: string
}

function edits(spelling: Spelling): fc.Arbitrary<Edit[]> {
  const one: fc.Arbitrary<Edit> = fc.record({
    action: fc.constantFrom('drop', 'insert', 'replace', 'replace', 'cut'),
    at: fc.nat(12),
    token: token(spelling),
  })
  return fc.array(one, { maxLength: 2 })
}

function edit(tokens: Tokens, changes: readonly Edit[]): Tokens {
  const edited = [...tokens]
  for (const { action, at, token: text } of changes) {
    const place = at % (edited.length + 1)
    if (action === 'cut') edited.length = place
    else if (action === 'insert') edited.splice(place, 0, text)
    else edited.splice(place, 1, ...(action === 'drop' ? [] : [text]))
  }
  return edited
}

function neighbours(spelling: Spelling): fc.Arbitrary<[string, string]> {
  return fc
    .tuple(versionTokens(spelling), edits(spelling), fc.boolean())
    .map(([tokens, changes, swapped]) =>
      swapped ? [toText(edit(tokens, changes)), toText(tokens)] : [toText(tokens), toText(edit(tokens, changes))],
    )
}

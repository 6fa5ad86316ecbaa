import fc from 'fast-check'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

type SchemeId = VersionScheme['id']
type Tokens = readonly string[]

/** Elements of a scheme's versions, and its syntax of bounds. */
interface Spelling {
  readonly prefixes: Tokens
  readonly lengths: readonly number[]
  /** Joined by spaces here for reading; `#` stands for a number, `w` for a word. */
  readonly suffixes: Tokens
  readonly words: Tokens
  readonly separators: Tokens
  /** Each takes one or two bounds. */
  readonly ranges: readonly ((bound: string, other: string) => string)[]
  readonly joints: Tokens
}

const SMALL = [
  '0',
  '0',
  '0',
  '1',
  '1',
  '1',
  '2',
  '2',
  '3',
  '9',
  '10',
  '11',
  '100',
  '2024',
  '20240131',
  '20240131123456',
]
const PADDED = ['00', '01', '007', '0000000001']
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

const operators = (tokens: Tokens): Spelling['ranges'] =>
  tokens.flatMap((operator) => [(bound: string) => `${operator}${bound}`, (bound: string) => ` ${operator} ${bound} `])

function times<T>(count: number, value: T): T[] {
  return new Array<T>(count).fill(value)
}

const SEMVER_SUFFIXES = [
  '- w',
  '- w . #',
  '- w #',
  '- #',
  '- # . w',
  '- w . w . #',
  '- w . # + w',
  '+ w',
  '+ # . w',
  '- w - #',
]

const SPELLINGS: Readonly<Record<SchemeId, Spelling>> = {
  npm: {
    prefixes: [...times(12, ''), 'v', '=', ' = v', 'V'],
    lengths: [...times(16, 3), 2, 4],
    suffixes: [...SEMVER_SUFFIXES, 'w', 'w #'],
    words: ['alpha', 'beta', 'rc', 'next', 'a', 'B', 'x', 'X', 'canary-abc123', '-', '0a', 'build'],
    separators: ['.', '-', '+'],
    ranges: [
      ...operators(['', '^', '~', '~>', '=', '<', '<=', '>', '>=']),
      (bound) => `${bound}.x`,
      (bound) => bound.replace(/\d+$/, '*'),
      (bound, other) => `${bound} - ${other}`,
      () => '*',
      () => '',
    ],
    joints: [' ', ' || ', '||', ', '],
  },
  pep440: {
    prefixes: ['', '', '', '', '', 'v', '0!', '1!', '2!', ' '],
    lengths: [1, 2, 2, 3, 3, 3, 4, 5],
    suffixes: [
      'a #',
      'b #',
      'rc #',
      'c #',
      '. alpha . #',
      '- beta - #',
      'pre',
      '. post #',
      '. post',
      '- #',
      'r #',
      '. dev #',
      'dev',
      '_ DEV #',
      '+ w',
      '+ w . #',
      '+ # - w',
      '. # . #',
    ],
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
    separators: ['.', '.', '-', '_', '+', ''],
    ranges: [
      ...operators(['==', '!=', '~=', '<', '<=', '>', '>=', '===']),
      (bound) => `==${bound}.*`,
      (bound) => `!=${bound}.*`,
      () => '',
    ],
    joints: [',', ', ', ' , '],
  },
  rubygems: {
    prefixes: ['', '', '', '', '', '', '', ' ', '\n'],
    lengths: [1, 2, 2, 3, 3, 3, 4, 5],
    suffixes: ['. w', '. w #', '. w . #', '- w', '- w . #', '- #', '. # w', '. w - w', '- - w'],
    words: ['a', 'b', 'B', 'pre', 'rc', 'beta', 'alpha', 'java', 'x', 'Z'],
    separators: ['.', '.', '.', '-', ''],
    ranges: operators(['', '=', '!=', '<', '<=', '>', '>=', '~>', '~>']),
    joints: [',', ', '],
  },
  maven: {
    prefixes: ['', '', '', '', '', '', 'v', 'r', '.', '-'],
    lengths: [1, 2, 2, 3, 3, 3, 4, 5],
    suffixes: [
      '- w',
      '- w - #',
      '- w #',
      '. w',
      '. w #',
      '. w . #',
      'w',
      'w #',
      '- #',
      '- # . w',
      '. w w',
      '- w . w',
      '_ w',
      '- # - #',
      '+ #',
    ],
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
  composer: {
    prefixes: [...times(12, ''), 'v', 'V', 'dev-', ' ', '='],
    lengths: [1, 2, 2, 3, 3, 3, 4, 4, 5],
    suffixes: [
      '- w',
      '- w #',
      '- w . #',
      'w',
      'w #',
      '- beta # -dev',
      '. w',
      '_ w #',
      '.x-dev',
      '-dev',
      '+ w',
      '@dev',
      '',
      '',
    ],
    words: [
      'alpha',
      'beta',
      'RC',
      'rc',
      'a',
      'b',
      'p',
      'pl',
      'patch',
      'stable',
      'dev',
      'DEV',
      'x',
      'x-dev',
      'main',
      'Beta',
    ],
    separators: ['.', '-', '_', '+', '@', ' as ', '#'],
    ranges: [
      ...operators(['', '>=', '!=', '~>']),
      ...['', '^', '^', '~', '~', '=', '==', '!=', '<>', '<', '<=', '>', '>='].map(
        (operator) => (bound: string) => operator + bound,
      ),
      (bound) => `${bound}.x`,
      (bound) => bound.replace(/\d+$/, '*'),
      (bound, other) => `${bound} - ${other}`,
      (bound, other) => `${bound} as ${other}`,
      (bound) => `${bound}@dev`,
      (bound) => `>=${bound}@beta`,
      (bound) => `dev-${bound}#0123abc`,
      () => '*',
      () => '*.*',
      () => '@dev',
      () => '',
    ],
    joints: [' ', ', ', ',', ' || ', '||', ' | ', '|'],
  },
  conan: {
    prefixes: [...times(12, ''), 'v', 'cci.', 'V'],
    lengths: [1, 2, 2, 3, 3, 3, 4],
    suffixes: ['- w', '- w #', '- w . #', '+ w', '+ #', 'w', '. w', '-#', '_ #', '', ''],
    words: ['alpha', 'beta', 'rc', 'a', 'b', 'system', 'dev', 'p', 'x'],
    separators: ['.', '-', '_', '+'],
    ranges: [
      ...['', '^', '^', '~', '~', '=', '==', '<', '<=', '>', '>='].map(
        (operator) => (bound: string) => operator + bound,
      ),
      (bound) => `${bound}*`,
      (bound) => bound.replace(/\d+$/, '*'),
      (bound, other) => `>=${bound} <${other}`,
      (bound) => `>${bound}, include_prerelease`,
      () => '*',
      () => '',
    ],
    joints: [' ', ' || ', '||', ' '],
  },
  cran: {
    prefixes: [...times(12, ''), 'v', '.'],
    lengths: [1, 2, 2, 3, 3, 4, 5],
    suffixes: ['- #', '- #', '. #', '- # . #', '- w', '', ''],
    words: ['a', 'x', 'rc'],
    separators: ['.', '-', ''],
    ranges: operators(['>=', '>', '<', '<=', '==', '!=']),
    joints: [',', ', '],
  },
  go: {
    prefixes: [...times(8, 'v'), ...times(6, ''), 'V', 'go'],
    lengths: [...times(15, 3), 1, 2, 4],
    suffixes: SEMVER_SUFFIXES,
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
    separators: ['.', '-', '+'],
    ranges: operators(['', '<', '<=', '>', '>=']),
    joints: [' '],
  },
  hackage: {
    prefixes: [...times(12, ''), 'v'],
    lengths: [...times(6, 3), ...times(6, 4), 2, 1],
    suffixes: ['.#', '. w'],
    words: ['0', 'a'],
    separators: ['.'],
    ranges: [...operators(['', '==', '^>=', '<', '<=', '>', '>=']), (bound) => `==${bound}.*`, () => '-any'],
    joints: [' && ', '&&', ' || '],
  },
  cargo: {
    prefixes: [...times(14, ''), 'v', '='],
    lengths: [...times(16, 3), 2, 4],
    suffixes: SEMVER_SUFFIXES,
    words: ['alpha', 'beta', 'rc', 'pre', 'x', 'B', '-', '0a', 'build'],
    separators: ['.', '-', '+'],
    ranges: [
      ...operators(['', '', '^', '~', '=', '<', '<=', '>', '>=']),
      (bound) => bound.replace(/\d+$/, '*'),
      (bound) => `=${bound.replace(/\.\d+\.\d+$/, '.X.x')}`,
      (bound) => `~${bound.replace(/\.\d+$/, '')}`,
      (bound) => bound.replace(/\.\d+\.\d+$/, ''),
      () => '*',
    ],
    joints: [',', ', ', ' '],
  },
  nuget: {
    prefixes: [...times(12, ''), ' ', 'v'],
    lengths: [...times(8, 3), ...times(4, 4), 2, 1, 5],
    suffixes: [...SEMVER_SUFFIXES, '. w'],
    words: ['alpha', 'Beta', 'beta', 'RC', 'rc', 'preview', 'CI', '-', '0a', '-5', 'abc123'],
    separators: ['.', '-', '+'],
    ranges: [
      (bound) => bound,
      (bound) => `[${bound}]`,
      (bound) => `[${bound}, )`,
      (bound) => `(,${bound}]`,
      (bound) => `(${bound},)`,
      (bound, other) => `[${bound},${other})`,
      (bound, other) => `(${other}, ${bound}]`,
      (bound) => bound.replace(/\d+$/, '*'),
      (bound) => `${bound}-*`,
      (bound) => `${bound.replace(/\d+$/, '*')}-*`,
      (bound) => `${bound}.*`,
      () => '*',
    ],
    joints: ['', ','],
  },
  pub: {
    prefixes: [...times(12, ''), 'v', ' '],
    lengths: [...times(16, 3), 2, 4],
    suffixes: [...SEMVER_SUFFIXES, '+ #', '+ # . #'],
    words: ['alpha', 'beta', 'dev', 'nullsafety', 'a', 'B', '-', '-1', '0a', 'hotfix'],
    separators: ['.', '-', '+'],
    ranges: [...operators(['', '^', '<', '<=', '>', '>=']), () => 'any'],
    joints: [' ', ''],
  },
  hex: {
    prefixes: [...times(12, ''), 'v', ' '],
    lengths: [...times(16, 3), 2, 4],
    suffixes: SEMVER_SUFFIXES,
    words: ['alpha', 'beta', 'rc', 'dev', 'a', 'B', '-', '-1', '0a', 'otp'],
    separators: ['.', '-', '+'],
    ranges: [
      ...operators(['', '==', '!=', '~>', '<', '<=', '>', '>=']),
      (bound) => `~> ${bound.replace(/\.\d+(?=$|[-+])/, '')}`,
    ],
    joints: [' and ', ' or ', ' '],
  },
  actions: {
    prefixes: [...times(10, ''), ...times(8, 'v'), 'V', 'release/'],
    lengths: [...times(12, 3), 1, 2, 4],
    suffixes: SEMVER_SUFFIXES,
    words: ['alpha', 'beta', 'rc', 'node20', 'x', 'B', '-', '0a'],
    separators: ['.', '-', '+'],
    ranges: [(bound) => bound, (bound) => `${'ab'.repeat(20)} # ${bound}`, ...operators(['<', '<=', '>', '>='])],
    joints: [' '],
  },
}

/** Ordinary versions of the scheme, and implausible ones. */
export function versionTexts(id: SchemeId): fc.Arbitrary<string> {
  return versionTokens(SPELLINGS[id]).map(toText)
}

/** Two versions that mostly differ in a place or two, where orderings go wrong. */
export function versionPairs(id: SchemeId): fc.Arbitrary<[string, string]> {
  const tokens = versionTokens(SPELLINGS[id])
  return fc.oneof(
    { weight: 1, arbitrary: fc.tuple(tokens.map(toText), tokens.map(toText)) },
    { weight: 4, arbitrary: neighbors(SPELLINGS[id]) },
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
    { weight: 12, arbitrary: plausible(spelling) },
    { weight: 1, arbitrary: fc.array(token(spelling), { maxLength: 9 }) },
  )
}

function plausible(spelling: Spelling): fc.Arbitrary<Tokens> {
  return fc
    .tuple(fc.constantFrom(...spelling.prefixes), numbers(spelling), fc.array(suffix(spelling), { maxLength: 2 }))
    .map(([prefix, release, suffixes]) => [prefix, ...release, ...suffixes.flat()])
}

function numbers({ lengths }: Spelling): fc.Arbitrary<Tokens> {
  return fc
    .constantFrom(...lengths)
    .chain((length) => fc.array(number(), { minLength: length, maxLength: length }))
    .map((all) => all.flatMap((one, i) => (i === 0 ? [one] : ['.', one])))
}

function suffix({ suffixes, words }: Spelling): fc.Arbitrary<Tokens> {
  return fc.constantFrom(...suffixes).chain((form) => fc.tuple(...form.split(' ').map((part) => fill(part, words))))
}

function fill(part: string, words: Tokens): fc.Arbitrary<string> {
  if (part === '#') return number()
  return part === 'w' ? fc.constantFrom(...words) : fc.constant(part)
}

function number(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...SMALL) },
    { weight: 1, arbitrary: fc.constantFrom(...PADDED) },
    { weight: 2, arbitrary: fc.constantFrom(...LIMITS) },
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
  readonly action: 'exchange' | 'drop' | 'insert' | 'replace' | 'cut' | 'extend'
  readonly at: number
  readonly token: string
  readonly number: string
  readonly word: string
}

function edits(spelling: Spelling): fc.Arbitrary<Edit[]> {
  const action: Edit['action'][] = [
    'exchange',
    'exchange',
    'exchange',
    'exchange',
    'extend',
    'drop',
    'insert',
    'replace',
    'cut',
  ]
  const one: fc.Arbitrary<Edit> = fc.record({
    action: fc.constantFrom(...action),
    at: fc.nat(12),
    token: token(spelling),
    number: number(),
    word: fc.constantFrom(...spelling.words),
  })
  return fc.array(one, { minLength: 1, maxLength: 2 })
}

function edit(tokens: Tokens, changes: readonly Edit[]): Tokens {
  const edited = [...tokens]
  for (const change of changes) {
    const place = change.at % (edited.length + 1)
    if (change.action === 'cut') edited.length = place
    else if (change.action === 'extend') edited.push('.', change.number)
    else if (change.action === 'insert') edited.splice(place, 0, change.token)
    else if (change.action === 'drop') edited.splice(place, 1)
    else if (change.action === 'replace') edited.splice(place, 1, change.token)
    else if (place < edited.length) edited[place] = toSameKind(edited[place]!, change)
  }
  return edited
}

/** A number for a number, a word for a word, so that most edits leave a version a version. */
function toSameKind(text: string, change: Edit): string {
  if (/^\d+$/.test(text)) return change.number
  return /[a-z]/i.test(text) ? change.word : text
}

function neighbors(spelling: Spelling): fc.Arbitrary<[string, string]> {
  return fc
    .tuple(versionTokens(spelling), edits(spelling), fc.boolean())
    .map(([tokens, changes, isSwapped]) =>
      isSwapped ? [toText(edit(tokens, changes)), toText(tokens)] : [toText(tokens), toText(edit(tokens, changes))],
    )
}

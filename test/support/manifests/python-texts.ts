import fc from 'fast-check'

const variables = [
  'python_version',
  'python_full_version',
  'os_name',
  'os.name',
  'sys_platform',
  'sys.platform',
  'platform_machine',
  'platform.machine',
  'platform_system',
  'platform_release',
  'platform.version',
  'platform_python_implementation',
  'python_implementation',
  'implementation_name',
  'implementation_version',
  'extra',
  'extras',
  'python_versions',
  'dependency_groups',
]
const values = [
  '3.13',
  '3.8',
  '3',
  '3.13.2',
  '3.*',
  '2.7, 3.13',
  '3.9 || 3.13',
  'linux',
  'posix',
  'Linux Darwin',
  'x86_64',
  'CPython',
  'cpython',
  'test',
  'Test',
  '',
  '5.4-generic',
  "it's",
  '3.14.0a1',
  '>=3',
]
const sure = ['==', '!=', '<', '<=', '>', '>=', '~=', '===', 'in', 'not in']
const operators = [...sure, 'not  in', 'is', '=']
const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: rare })
const blank = fc.constantFrom('', ' ', '  ', '\t')

const quoted = fc
  .tuple(fc.constantFrom(...values), fc.constantFrom('"', "'"))
  .map(([value, quote]) => `${quote}${value}${quote}`)
const operand = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...variables) }, { weight: 5, arbitrary: quoted })
const pair = fc.oneof(
  fc.tuple(fc.constantFrom(...variables), quoted),
  fc.tuple(quoted, fc.constantFrom(...variables)),
  fc.tuple(operand, operand),
)
const condition = fc
  .tuple(pair, blank, mostly(fc.constantFrom(...sure), fc.constantFrom(...operators)), blank)
  .map(([[left, right], before, operator, after]) => [left, before, operator, after, right] as const)
  .map(([left, before, operator, after, right]) => {
    const [open, close] = /[a-z]$/.test(operator) ? [' ', ' '] : [before, after]
    return `${left}${open}${operator}${close}${right}`
  })

/** Texts that are markers, or nearly. */
export const markerTexts: fc.Arbitrary<string> = mostly(
  fc.letrec<{ marker: string }>((tie) => ({
    marker: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      condition,
      fc.tuple(blank, tie('marker'), blank).map(([before, inner, after]) => `(${before}${inner}${after})`),
      fc
        .tuple(
          tie('marker'),
          mostly(fc.constantFrom(' and ', ' or '), fc.constantFrom(' and', 'or ', ' xor ')),
          tie('marker'),
        )
        .map(([left, word, right]) => `${left}${word}${right}`),
    ),
  })).marker,
  fc
    .array(fc.constantFrom(...variables, ...operators, '(', ')', ' ', '"', "'", ' and ', ' or ', '"3"'), {
      maxLength: 9,
    })
    .map((parts) => parts.join('')),
)

const plainNames = ['a', 'Django', 'zope.interface', 'a_b-c', 'A', '0x']
const names = ['a', 'Django', 'zope.interface', 'a_b-c', 'A', '0x', '-a', 'a-', 'a_', 'é', 'a b', '']
const versions = [
  '1',
  '1.0',
  '1.0.0',
  '2!1.0',
  '1.0rc1',
  '1.0.post1',
  '1.0.dev2',
  '1.*',
  '1.0.*',
  '1.0+local',
  'v1.0',
  '1.0-1',
  'abc',
  '1.0-final',
  '',
  '01.0',
]
const plainVersions = ['1', '1.0', '1.0.0', '2!1.0', '1.0rc1', '1.0.post1', '1.0.dev2', 'v1.0', '1.0-1']
const specifierOperators = ['==', '!=', '<', '<=', '>', '>=', '~=', '===', '=', '=>', '^']
const specifier = fc
  .tuple(
    mostly(fc.constantFrom(...specifierOperators.slice(0, 8)), fc.constantFrom(...specifierOperators)),
    blank,
    mostly(fc.constantFrom(...plainVersions), fc.constantFrom(...versions)),
  )
  .map((parts) => parts.join(''))
const range = fc
  .tuple(
    fc.array(specifier, { maxLength: 3 }),
    mostly(fc.constantFrom(',', ', ', ' ,'), fc.constantFrom(',,', ' ')),
    fc.constantFrom('', ',', ' '),
  )
  .map(([parts, separator, end]) => `${parts.join(separator)}${end}`)
const bracketed = fc
  .tuple(range, mostly(fc.constantFrom('()', '( )', '', ''), fc.constantFrom('(', ')')))
  .map(([text, brackets]) => {
    if (brackets === '') return text
    return brackets.length === 1 ? `${brackets}${text}` : `(${text}${brackets.slice(1)}`
  })
const extras = mostly(
  fc.constantFrom('', '', '[x]', '[x,Y_z]', '[ x , y ]', '[]'),
  fc.constantFrom('[x', '[x,]', '[x y]', '[,x]'),
)
const address = fc.constantFrom(
  '@ https://registry.example/a.zip',
  '@https://registry.example/a.zip',
  '@ git+https://registry.example/a@v1',
  '@ ./a',
  '@',
)

/** Texts that are dependency specifiers, or nearly. */
export const requirementTexts: fc.Arbitrary<string> = fc
  .tuple(
    mostly(fc.constantFrom(...plainNames), fc.constantFrom(...names)),
    blank,
    extras,
    blank,
    fc.oneof({ weight: 4, arbitrary: bracketed }, { weight: 1, arbitrary: address }),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 2, arbitrary: markerTexts.map((marker) => ` ; ${marker}`) },
      { weight: 1, arbitrary: markerTexts.map((marker) => `;${marker}`) },
    ),
  )
  .map((parts) => parts.join(''))

import fc from 'fast-check'
import type { PyPiContent, PyPiContentVersion } from '../registries/pypi-content.ts'

/** The content of an index and the requirements of a project. */
export interface PythonWorld {
  readonly content: PyPiContent
  readonly requirements: string
  readonly constraints: string
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const versions = ['0.9', '1.0', '1.1', '1.2', '2.0', '2.1', '3.0', '3.1rc1', '2.2.dev1']
const ranges = [
  '',
  '',
  '',
  '',
  '>=1',
  '>=1',
  '>=1.1',
  '<3',
  '<3',
  '<2.1',
  '>=1,<3',
  '~=1.0',
  '==2.*',
  '!=2.0',
  '!=1.1',
  '==1.1',
  '>1.0',
  '<=2.0',
  '>=3.1rc1',
]
const markers = [
  '',
  '',
  '',
  '; python_version >= "3.8"',
  '; python_version < "3"',
  '; sys_platform == "win32"',
  "; extra == 'x'",
  "; extra == 'y'",
  "; extra == 'x' and os_name == 'posix'",
]
const extras = ['', '', '', '[x]', '[y]', '[x,y]']
const files: readonly (readonly string[] | undefined)[] = [
  undefined,
  undefined,
  undefined,
  undefined,
  ['-cp313-cp313-win_amd64.whl'],
  ['-cp313-cp313-manylinux_2_17_x86_64.whl', '-cp312-cp312-manylinux_2_17_x86_64.whl'],
]

const requirement = (projects: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...projects), fc.constantFrom(...extras), fc.constantFrom(...ranges))
    .map((parts) => parts.join(''))

const version: fc.Arbitrary<PyPiContentVersion> = fc
  .record({
    asks: fc.array(fc.tuple(requirement(names), fc.constantFrom(...markers)), { maxLength: 3 }),
    python: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      '>=3.8',
      '<3.10',
      '>=3.13,<4',
    ),
    isYanked: fc.integer({ min: 0, max: 9 }),
    ends: fc.constantFrom(...files),
  })
  .map(({ asks, python, isYanked, ends }) => ({
    requires: asks.map((parts) => parts.join('')),
    extras: ['x', 'y'],
    ...(python === undefined ? {} : { python }),
    ...(isYanked === 0 ? { yanked: true as const } : {}),
    ...(ends === undefined ? {} : { files: ends }),
  }))

const project = fc.uniqueArray(fc.tuple(fc.constantFrom(...versions), version), {
  selector: ([number]) => number,
  minLength: 2,
  maxLength: 7,
})

export const pythonWorlds: fc.Arbitrary<PythonWorld> = fc
  .record({
    projects: fc.array(project, { minLength: 7, maxLength: names.length }),
    asked: fc.array(requirement(names.slice(0, 6)), { minLength: 1, maxLength: 4 }),
    limits: fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...ranges.slice(4))), { maxLength: 1 }),
    takesPre: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ projects, asked: requirements, limits, takesPre }) => ({
    content: Object.fromEntries(projects.map((project, at) => [names[at]!, Object.fromEntries(project)])),
    requirements: [...(takesPre === 0 ? ['--pre'] : []), ...requirements, ''].join('\n'),
    constraints: limits.map((parts) => parts.join('')).join('\n'),
  }))

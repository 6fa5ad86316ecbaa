import { parseOnce } from '#analysis/parse-once.ts'
import { isMet, parseSpecifiers } from '#analysis/versions/pep440-specifiers.ts'
import { parsePythonVersion } from '#analysis/versions/pep440-version.ts'
import { toProjectName } from './project-name.ts'
import { isAtEnd, type Scanner, skipBlanks, startScanner, take } from './scanner.ts'

/** Values of an environment for markers, by their names in PEP 508. */
export type MarkerEnvironment = Readonly<Record<EnvironmentName, string>> & {
  /** True if every extra may be chosen: conditions on extras hold. */
  readonly hasAnyExtra?: true
  /** The chosen dependency groups (PEP 751), normalized. */
  readonly groups?: ReadonlySet<string>
}

export const environmentNames = [
  'implementation_name',
  'implementation_version',
  'os_name',
  'platform_machine',
  'platform_python_implementation',
  'platform_release',
  'platform_system',
  'platform_version',
  'python_full_version',
  'python_version',
  'sys_platform',
] as const
export type EnvironmentName = (typeof environmentNames)[number]

/** Conditions and nested markers, joined by `and` and `or`. */
export type Marker = readonly (Condition | Marker | 'and' | 'or')[]

interface Condition {
  readonly left: Operand
  readonly operator: string
  readonly right: Operand
}

interface Operand {
  readonly isVariable: boolean
  readonly value: string
}

const deepest = 100
const variable =
  /\b(?:python_version|python_full_version|os[._]name|sys[._]platform|platform_(?:release|system)|platform[._](?:version|machine|python_implementation)|python_implementation|implementation_(?:name|version)|extras?|dependency_groups)\b/y
const quoted = /'[^']*'|"[^"]*"/y
const comparison = /===|==|~=|!=|<=|>=|<|>/y
const wordIn = /in\b/y
const wordNot = /not\b/y
const blanks = /[ \t]+/y
const opening = /\(/y
const closing = /\)/y
const connective = /(?:or|and)\b/y
const comparedAsVersions = new Set([
  'implementation_version',
  'platform_release',
  'python_full_version',
  'python_version',
])

/** Parses a marker by the grammar of PEP 508 as the `packaging` library (26) does; undefined for invalid text. */
export const parseMarker = parseOnce((text: string): Marker | undefined => {
  const scanner = startScanner(text)
  const read = readMarker(scanner, 0)
  return isAtEnd(scanner) ? read : undefined
})

function readMarker(scanner: Scanner, depth: number): Marker | undefined {
  if (depth > deepest) return undefined
  const parts: (Condition | Marker | 'and' | 'or')[] = []
  for (;;) {
    const atom = readAtom(scanner, depth)
    if (atom === undefined) return undefined
    parts.push(atom)
    const word = take(scanner, connective)
    if (word === undefined) return parts
    parts.push(word as 'and' | 'or')
  }
}

function readAtom(scanner: Scanner, depth: number): Condition | Marker | undefined {
  skipBlanks(scanner)
  const isNested = take(scanner, opening) !== undefined
  const atom = isNested ? readMarker(scanner, depth + 1) : readCondition(scanner)
  if (isNested && take(scanner, closing) === undefined) return undefined
  skipBlanks(scanner)
  return atom
}

function readCondition(scanner: Scanner): Condition | undefined {
  const left = readOperand(scanner)
  skipBlanks(scanner)
  const operator = readOperator(scanner)
  skipBlanks(scanner)
  const right = readOperand(scanner)
  skipBlanks(scanner)
  if (left === undefined || operator === undefined || right === undefined) return undefined
  return withPlainNames({ left, operator, right })
}

function readOperator(scanner: Scanner): string | undefined {
  if (take(scanner, wordIn) !== undefined) return 'in'
  if (take(scanner, wordNot) === undefined) return take(scanner, comparison)
  return take(scanner, blanks) !== undefined && take(scanner, wordIn) !== undefined ? 'not in' : undefined
}

function readOperand(scanner: Scanner): Operand | undefined {
  const name = take(scanner, variable)?.replaceAll('.', '_')
  if (name === 'python_implementation') return { isVariable: true, value: 'platform_python_implementation' }
  if (name !== undefined) return { isVariable: true, value: name }
  const text = take(scanner, quoted)
  return text === undefined ? undefined : { isVariable: false, value: withoutEscapes(text.slice(1, -1)) }
}

/** Removes escapes of Python string literals that stand for themselves; others stay. */
function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\'"])/g, '$1') : text
}

/** Normalizes names of extras (PEP 685). */
function withPlainNames(condition: Condition): Condition {
  const { left, right } = condition
  if (left.isVariable && left.value === 'extra' && !right.isVariable) {
    return { ...condition, right: { ...right, value: toProjectName(right.value) } }
  }
  if (right.isVariable && right.value === 'extra' && !left.isVariable) {
    return { ...condition, left: { ...left, value: toProjectName(left.value) } }
  }
  return condition
}

/**
 * Evaluates a marker for one extra or (empty) none; undefined for incomparable values, for which the `packaging`
 * library fails.
 */
export function evaluateMarker(marker: Marker, environment: MarkerEnvironment, extra: string): boolean | undefined {
  let all = true
  let any = false
  for (const part of marker) {
    if (part === 'and') continue
    if (part === 'or') {
      any ||= all
      all = true
      continue
    }
    const holds = isNested(part) ? evaluateMarker(part, environment, extra) : meets(part, environment, extra)
    if (holds === undefined) return undefined
    all &&= holds
  }
  return any || all
}

function isNested(part: Condition | Marker): part is Marker {
  return Array.isArray(part)
}

function meets({ left, operator, right }: Condition, environment: MarkerEnvironment, extra: string) {
  const name = left.isVariable ? left.value : right.value
  if (!left.isVariable && !right.isVariable) return undefined
  if (environment.hasAnyExtra && (name === 'extra' || name === 'extras')) return true
  if (environment.groups !== undefined && right.isVariable && name === 'dependency_groups')
    return environment.groups.has(toProjectName(left.value)) === (operator === 'in')
  const value = name === 'extra' ? extra : lookUp(environment, name)
  if (value === undefined) return undefined
  return left.isVariable
    ? compare(value, operator, { text: right.value, name })
    : compare(left.value, operator, { text: value, name })
}

function lookUp(environment: MarkerEnvironment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name as EnvironmentName] : undefined
}

function compare(left: string, operator: string, { text, name }: { text: string; name: string }): boolean | undefined {
  if (comparedAsVersions.has(name)) {
    const isVersionOperator = operator !== 'in' && operator !== 'not in'
    // A single specifier, not a list.
    const [specifier] = isVersionOperator && !text.includes(',') ? (parseSpecifiers(`${operator}${text}`) ?? []) : []
    if (specifier !== undefined) return isMet(specifier, left, parsePythonVersion(left))
  }
  switch (operator) {
    case 'in':
      return text.includes(left)
    case 'not in':
      return !text.includes(left)
    case '==':
    case '<=':
    case '>=':
      return left === text
    case '!=':
      return left !== text
    case '<':
    case '>':
      return false
    default:
      return undefined
  }
}

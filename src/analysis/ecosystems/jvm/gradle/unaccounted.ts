import { reportUnread, type ScriptContext, type ScriptFacts } from './facts.ts'
import { signAt, type Token, wordOf } from './language/tokens.ts'
import type { Variables } from './language/values.ts'

/** Indirect accesses to the dependencies of a project. */
const WAYS =
  /^(?:eachDependency|dependencySubstitution|capabilitiesResolution|getDependencies|defaultDependencies|withDependencies|addLater|addAllLater|addProvider(?:Convertible)?|DependencyHandler(?:Scope)?|[dD]ependencyFactory)$/
/** Members that only read dependencies, or create one without adding it. */
const LOOKING = new RegExp(
  `^(?:${[
    'each|eachWithIndex|forEach\\w*|every|any|all|none|find\\w*|collect\\w*|matching|withType|named|size|isEmpty|empty|contains\\w*',
    'toList|toSet|stream|as[A-Z]\\w*|filter\\w*|map\\w*|flatMap|configureEach|when\\w*|grep|iterator|first\\w*|last\\w*|sort\\w*',
    'join\\w*|group\\w*|associate\\w*|count|remove\\w*|clear|retainAll|project|platform|enforcedPlatform|create|module|gradleApi',
    'localGroovy|gradleTestKit|testFixtures|artifactTypes|attributesSchema|registerTransform|extensions|getExtensions|class|getClass',
  ].join('|')})$`,
)
/** Returns true if a name leads to dependencies indirectly. */
export function isWay(name: string): boolean {
  return WAYS.test(name)
}

/** Maximum number of names in a path; following longer ones to their start would take quadratic time. */
const MAX_PATH = 30

const BY_TEXT =
  /^(?:(?:project|rootProject|this|delegate|owner|it|p|target)\[|(?:invokeMethod|getProperty|property)\()$/

/**
 * Reports uses of the project's dependencies that were not read, e.g. in a method: they may add unknown dependencies.
 */
export function reportUnreadUses(tokens: readonly Token[], context: ScriptContext) {
  const { file, facts } = context
  const reportedLines = linesOf(context)
  for (const at of findUses(tokens, context.variables, reportedLines)) {
    const token = tokens[at]!
    if (facts.blocks.has(`${file}:${at}`) || isLeftOut(at, context)) continue
    reportDependencies(token, context)
    reportedLines.add(token.line)
  }
}

/** Yields the token indexes at which a script may add dependencies, except on lines that were reported meanwhile. */
function* findUses(
  tokens: readonly Token[],
  variables: Variables,
  reportedLines: ReadonlySet<number>,
): Generator<number> {
  let importLine = 0
  for (const [at, token] of tokens.entries()) {
    const word = wordOf(token)
    if (word === 'import') importLine = token.line
    if (word === undefined || token.line === importLine || reportedLines.has(token.line)) continue
    if (token.kind === 'text') {
      if (word === 'dependencies' && isCalledByText(tokens, at)) yield at
    } else if (word === 'dependencies' ? isUse(tokens, at, variables) : WAYS.test(word) && !isOnlyLooked(tokens, at)) {
      yield at
    }
  }
}

/**
 * Matches `"dependencies" { }`, `project.'dependencies'`, `project['dependencies']`, `invokeMethod('dependencies', …)`.
 */
function isCalledByText(tokens: readonly Token[], at: number): boolean {
  const before = signAt(tokens, at - 1)
  if (before === '.' || signAt(tokens, at + 1) === '{') return true
  return BY_TEXT.test(`${wordOf(tokens[at - 2])}${before}`)
}

function isUse(tokens: readonly Token[], at: number, variables: Variables): boolean {
  const start = startOfPath(tokens, at)
  if (start === undefined) return true
  const path = tokens.slice(start, at).flatMap((token) => wordOf(token) ?? [])
  if (path.some((name) => /^(?:ext|extra|tasks)$/.test(name))) return false
  const before = tokens[start - 1]
  const next = tokens[at + 1]
  const sign = signAt(tokens, at + 1)
  if (isDot(sign)) return !isOnlyLooked(tokens, at)
  if (sign === ':' || sign === '=') return false
  if (next?.kind === 'name' || next?.kind === 'text') return !/^(?:in|as|to|by|is)$/.test(wordOf(next) ?? '')
  if (sign === '{' || sign === '(' || sign === '<<' || sign === '+=') return true
  if (sign === '\n' && signAt(tokens, at + 2) === '{') return true
  const isHandedOn = before?.kind === 'sign' && /^(?:=|\(|,|:)$/.test(before.text)
  return isHandedOn && variables.get(['dependencies']) === undefined
}

/** Matches `.dependencies.each`, `getDependencies().size()` and uncalled members: only reads. */
function isOnlyLooked(tokens: readonly Token[], at: number): boolean {
  const end = signAt(tokens, at + 1) === '(' && signAt(tokens, at + 2) === ')' ? at + 3 : at + 1
  if (!isDot(signAt(tokens, end))) return false
  const member = wordOf(tokens[end + 1]) ?? ''
  const behind = tokens[end + 2]
  const isCalled =
    behind !== undefined && (behind.kind !== 'sign' || /^[{(<[]/.test(behind.text)) && behind.kind !== 'break'
  return LOOKING.test(member) || !(isCalled || member === '')
}

/** Returns undefined for a path that is too long. */
function startOfPath(tokens: readonly Token[], at: number): number | undefined {
  const last = at - 2 * MAX_PATH
  let start = at
  while (isDot(signAt(tokens, start - 1)) && wordOf(tokens[start - 2]) !== undefined) {
    if (start === last) return undefined
    start -= 2
  }
  return start
}

function isDot(sign: string): boolean {
  return sign === '.' || sign === '?.'
}

function isLeftOut(at: number, { file, facts }: ScriptContext): boolean {
  return facts.leftOut.some((range) => range.file === file && at >= range.from && at < range.end)
}

/** Reports dependencies declared there that were not read. */
export function reportDependencies({ line }: { readonly line: number }, { file, facts }: ScriptContext) {
  reportUnread(facts, { name: 'dependencies', place: { file, line } })
}

/** `group:name:version` as a whole text. */
const COORDINATES =
  /^([A-Za-z][\w.-]*:[A-Za-z][\w.-]*):((?:\[|\(|latest\.|v?\d)[\w.,+()[\]-]*)(?:!![\w.,+()[\]-]*)?(?::[\w.-]+)?(?:@\w+)?$/

/** Reports literal coordinates in a script that are neither declared nor assigned. */
export function reportUnreadCoordinates(tokens: readonly Token[], context: ScriptContext) {
  const { file, facts, variables } = context
  const names = namesIn(facts)
  const reportedLines = linesOf(context)
  for (const [at, token] of tokens.entries()) {
    const text = token.kind === 'text' ? (wordOf(token) ?? '') : ''
    const [, name, version] = COORDINATES.exec(text) ?? []
    if (
      name === undefined ||
      names.has(name) ||
      names.has(`${name}:${version}`) ||
      variables.assigned.has(text) ||
      reportedLines.has(token.line) ||
      isLeftOut(at, context)
    )
      continue
    reportUnread(facts, { name, range: text.slice(name.length + 1), place: { file, line: token.line } })
  }
}

/** Returns what was read as `group:name:version`, and names that cover any version. */
function namesIn({ dependencies, forced, imports, managed, unread }: ScriptFacts): Set<string> {
  const declared = [...dependencies, ...forced, ...imports, ...managed]
  const modules = declared.flatMap(({ group, artifact, version: { requires, strictly, prefers } }) =>
    [requires, strictly, prefers].map((version) => `${group}:${artifact}:${version}`),
  )
  const capabilities = declared.flatMap((declared) => declared.capabilities)
  return new Set([...modules, ...capabilities, ...unread.map(({ name }) => name)])
}

/** Returns the lines of a script that are already reported. */
function linesOf({ file, facts }: ScriptContext): Set<number> {
  return new Set(facts.unread.flatMap(({ place }) => (place.file === file ? place.line : [])))
}

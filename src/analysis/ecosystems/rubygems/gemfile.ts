import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { anything } from './gemfile-lock.ts'
import { unrollLoops } from './loops.ts'
import { readStatements, type Statement, type Token } from './ruby-tokens.ts'

/** A gem required by a Gemfile or a gemspec. */
export interface DeclaredGem {
  readonly name: string
  /** False if the name is an expression; then it is the text of the line. */
  readonly isNamed: boolean
  /** Undefined for an expression that would have to be run. */
  readonly requirement: string | undefined
  readonly groups: readonly string[]
  /** The source, for the sentence "comes from …"; undefined for the registry. */
  readonly elsewhere: string | undefined
  /** True if required under a condition that only running it would decide. */
  readonly isConditional: boolean
  /** Bundler's names of its platforms; none for all. */
  readonly platforms: readonly string[]
  readonly line: number
  readonly source: string
}

/** A line that only running it could decide. */
export interface NotStatic {
  readonly line: number
  readonly source: string
  /** True if it may require gems. */
  readonly mayAsk: boolean
}

export interface Gemfile {
  readonly gems: readonly DeclaredGem[]
  /** The line that includes the project's gemspec. */
  readonly gemspecLine: number | undefined
  readonly notStatic: readonly NotStatic[]
  /** Plugins of Bundler, which it installs apart from the gems. */
  readonly plugins: readonly DeclaredGem[]
}

/** An open block, closed by its `end`. */
interface Block {
  readonly groups: readonly string[]
  readonly elsewhere: string | undefined
  readonly isConditional: boolean
  readonly platforms: readonly string[]
  /** True if the block contains no gems. */
  readonly isIgnored?: true
}

const outermost: Block = { groups: [], elsewhere: undefined, isConditional: false, platforms: [] }

const maxBlocks = 200
/** Statements without an effect on the list of gems; of `if` and similar all branches count. */
const withoutEffect = new Set(['source', 'ruby', 'git_source', 'require', 'require_relative', 'puts', 'warn'])
const beginnings = new Set(['if', 'unless', 'case', 'begin'])
const branches = new Set(['else', 'elsif', 'when', 'in', 'rescue', 'ensure'])
/** Statements that run their body repeatedly, later or never. */
const otherBeginnings = new Set(['while', 'until', 'for', 'def', 'class', 'module'])
const neutralBlocks = new Set(['source', 'platforms', 'platform', 'env', 'install_if'])
const elsewhereOptions = new Map([
  ['git', 'a git repository'],
  ['github', 'a git repository'],
  ['gitlab', 'a git repository'],
  ['bitbucket', 'a git repository'],
  ['gist', 'a git repository'],
  ['path', 'a local path'],
])

/** Bundler's own options; others name a source that the Gemfile defines with `git_source`. */
const knownOptions = new Set([
  ...elsewhereOptions.keys(),
  ...['group', 'groups', 'platform', 'platforms', 'install_if', 'force_ruby_platform', 'require', 'source', 'type'],
  ...['branch', 'ref', 'tag', 'glob', 'submodules', 'name'],
])

/**
 * Parses a Gemfile (Bundler's Dsl) without running it. Gems of all branches and platforms count. Lines that cannot be
 * read without running them are reported.
 */
export function parseGemfile(text: string, file: 'target' | number): Gemfile {
  const gems: DeclaredGem[] = []
  const notStatic: NotStatic[] = []
  const plugins: DeclaredGem[] = []
  const blocks: Block[] = []
  const values = new Map<string, string>()
  const statements = unrollLoops(readStatements(text, file))
  let gemspecLine: number | undefined
  for (const statement of statements) {
    const { line, source } = statement
    const tokens = substituted(statement.tokens, values)
    const [first, second, third] = tokens
    const open = { line, source, mayAsk: mayAsk(statement) }
    const outer = blocks.at(-1) ?? outermost
    const word = first?.kind === 'name' ? first.value : ''
    const opens = opensBlock(tokens)
    const isAssignment = second?.kind === 'sign' && second.value === '=' && word !== ''
    const isOneLine = tokens.at(-1)?.kind === 'name' && tokens.at(-1)?.value === 'end'
    if (hidesMore(word, tokens)) notStatic.push({ ...open, mayAsk: true })
    if (word === 'end') blocks.pop()
    else if (outer.isIgnored) {
      if (opens || (beginnings.has(word) && !isOneLine)) blocks.push(outer)
    } else if (word === 'gem' && !opens) gems.push(toGem({ line, source, tokens }, outer))
    else if (word === 'plugin' && !opens) plugins.push(toGem({ line, source, tokens }, outer))
    else if (word === 'gemspec') gemspecLine = line
    else if (isAssignment && !opens) {
      if (third?.kind === 'text' && tokens.length === 3) values.set(word, third.value)
      else values.delete(word)
    } else if (opens && blocks.length < maxBlocks) {
      const block = toBlock(word, tokens, outer)
      blocks.push(block ?? outer)
      // Its gems are read separately.
      if (block === undefined) notStatic.push(open)
    } else if (beginnings.has(word) && !isOneLine) {
      blocks.push({ ...outer, isConditional: outer.isConditional || isOpenCondition(tokens.slice(1)) })
    } else if (otherBeginnings.has(word) && !isOneLine) {
      blocks.push(outer)
      notStatic.push(open)
    } else if (branches.has(word)) continue
    else if (!withoutEffect.has(word)) notStatic.push(open)
  }
  return { gems, gemspecLine, notStatic, plugins }
}

/** Reads `add_dependency` and similar calls of a gemspec. */
export function parseGemspec(text: string, file: 'target' | number): DeclaredGem[] {
  return readStatements(text, file).flatMap(({ line, source, tokens }) => {
    const isAdding = ({ value }: Token) => /^add_(?:runtime_|development_)?dependency$/.test(value)
    const at = tokens.findIndex((token) => token.kind === 'name' && isAdding(token))
    if (at === -1) {
      // `send(:add_dependency, …)`: only running it tells the gem.
      return tokens.some(isAdding) ? [toGem({ line, source, tokens: [] }, outermost)] : []
    }
    const groups = tokens[at]!.value === 'add_development_dependency' ? ['development'] : []
    return [toGem({ line, source, tokens: tokens.slice(at) }, { ...outermost, groups })]
  })
}

/**
 * Returns true for a statement after which parsing is uncertain: an open string, a here-document, an unexpected regular
 * expression, or another statement on the line of `else` or `when`.
 */
function hidesMore(word: string, tokens: readonly Token[]): boolean {
  if (tokens.some(({ kind }) => kind === 'unfinished')) return true
  if (withoutEffect.has(word))
    return tokens.some(({ kind, value }) => kind === 'sign' && (value === '/' || value === '<'))
  if (word === 'else' || word === 'ensure') return tokens.length > 1
  return branches.has(word) && tokens.slice(0, -1).some(({ kind, value }) => kind === 'name' && value === 'then')
}

const ASKING = /^(?:gem|eval\w*|\w*_eval|\w*_exec|\w*send(?:__)?|method|load|tap|times|dependencies)$/

/** True for a statement that may ask for gems in a way that is not read. */
function mayAsk({ tokens, source }: Statement): boolean {
  return tokens.some(({ kind, value }) => kind !== 'text' && ASKING.test(value)) || source.includes('<<')
}

/** True unless a condition consists of literals: only then it is sure what it decides. */
function isOpenCondition(tokens: readonly Token[]): boolean {
  const isPlain = ({ kind, value }: Token) =>
    kind === 'text' || kind === 'symbol' || kind === 'sign' || /^(?:true|false|nil|not|and|or|then|\d+)$/.test(value)
  return tokens.length > 0 && !tokens.every(isPlain)
}

function opensBlock(tokens: readonly Token[]): boolean {
  const at = tokens.findLastIndex(({ kind, value }) => kind === 'name' && value === 'do')
  if (at === -1) return false
  const after = tokens.slice(at + 1)
  return after.length === 0 || (after[0]!.value === '|' && after.at(-1)!.value === '|')
}

/** Opens a block; undefined for one that may run repeatedly. */
function toBlock(word: string, tokens: readonly Token[], outer: Block): Block | undefined {
  const groups = listOf(tokens.slice(1))
  if (word === 'group') return { ...outer, groups: groups.length > 0 ? groups : outer.groups }
  if (word === 'git' || word === 'github' || word === 'path') return { ...outer, elsewhere: elsewhereOptions.get(word) }
  if (word === 'git_source') return { ...outer, isIgnored: true }
  if (!neutralBlocks.has(word)) return undefined
  // Bundler locks the gems of all platforms and environments.
  return /^platforms?$/.test(word) ? { ...outer, platforms: [...outer.platforms, ...groups] } : outer
}

function toGem({ line, source, tokens }: Statement, outer: Block): DeclaredGem {
  const parts = argumentsOf(tokens.slice(1))
  const [nameOf] = parts
  const isNamed = nameOf?.length === 1 && nameOf[0]!.kind === 'text' && nameOf[0]!.value !== ''
  const requirements: string[] = []
  let isStatic = isNamed && !continuesAfterBrackets(tokens.slice(1))
  let { groups, elsewhere, isConditional, platforms } = outer
  const condition = tokens.findIndex(({ kind, value }) => kind === 'name' && (value === 'if' || value === 'unless'))
  isConditional ||= condition !== -1 && isOpenCondition(tokens.slice(condition + 1))
  for (const part of parts.slice(1)) {
    const [key, sign] = part
    if (key?.kind === 'symbol' && sign?.value === '=>') {
      if (!knownOptions.has(key.value)) isStatic = false
      if (key.value === 'group' || key.value === 'groups') groups = [...groups, ...listOf(part.slice(2))]
      elsewhere = elsewhereOptions.get(key.value) ?? elsewhere
      if (/^platforms?$/.test(key.value)) platforms = [...platforms, ...listOf(part.slice(2))]
    } else {
      const texts = part.filter(({ kind }) => kind === 'text')
      const isList = part.every(({ kind, value }) => kind === 'text' || (kind === 'sign' && '[],'.includes(value)))
      if (texts.length === 0 || !isList) isStatic = false
      requirements.push(...texts.map(({ value }) => value))
    }
  }
  return {
    isNamed,
    name: isNamed ? nameOf[0]!.value : shorten(withoutCredentials(source)),
    requirement: isStatic ? requirements.join(', ') || anything : undefined,
    groups,
    elsewhere,
    isConditional,
    platforms,
    line,
    source,
  }
}

/** Matches `gem ('a'), '1'`, with the first of two arguments in brackets. */
function continuesAfterBrackets(tokens: readonly Token[]): boolean {
  if (tokens[0]?.kind !== 'sign' || tokens[0].value !== '(') return false
  let depth = 0
  for (const [index, { kind, value }] of tokens.entries()) {
    if (kind !== 'sign') continue
    if ('([{'.includes(value)) depth++
    else if (')]}'.includes(value) && --depth === 0) return tokens[index + 1]?.value === ','
  }
  return false
}

/** Splits arguments at commas outside of brackets, up to a trailing condition. */
function argumentsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  const isWrapped = tokens[0]?.value === '(' && tokens[0].kind === 'sign'
  for (const token of isWrapped ? tokens.slice(1) : tokens) {
    const { kind, value } = token
    if (kind === 'name' && depth === 0 && (value === 'if' || value === 'unless')) break
    if (kind === 'sign' && '([{'.includes(value)) depth++
    else if (kind === 'sign' && ')]}'.includes(value) && --depth < 0) break
    if (kind === 'sign' && value === ',' && depth === 0) parts.push([])
    else parts.at(-1)!.push(token)
  }
  return parts.filter((part) => part.length > 0)
}

/** Returns leading symbols and texts. */
function listOf(tokens: readonly Token[]): string[] {
  const values: string[] = []
  for (const [index, { kind, value }] of tokens.entries()) {
    if (tokens[index + 1]?.value === '=>') break
    if (kind === 'symbol' || kind === 'text') values.push(value)
    else if (kind !== 'sign') break
  }
  return values
}

/** Replaces names with texts assigned before. */
function substituted(tokens: readonly Token[], values: ReadonlyMap<string, string>): readonly Token[] {
  if (values.size === 0) return tokens
  return tokens.map((token, index): Token => {
    const value = token.kind === 'name' && index > 0 ? values.get(token.value) : undefined
    return value === undefined || tokens[index + 1]?.value === '.' ? token : { kind: 'text', value }
  })
}

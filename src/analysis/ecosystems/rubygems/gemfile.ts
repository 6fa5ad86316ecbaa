import { shorten } from '../npm/json-document.ts'
import { withoutCredentials } from '../npm/spec.ts'
import { anything } from './gemfile-lock.ts'
import { readStatements, type Statement, type Token } from './ruby-tokens.ts'

/** A gem that a Gemfile or a gemspec asks for. */
export interface AskedGem {
  readonly name: string
  /** Undefined when it is written as something that has to be run. */
  readonly requirement: string | undefined
  readonly groups: readonly string[]
  /** For the sentence "comes from …"; undefined when it comes from the registry. */
  readonly elsewhere: string | undefined
  /** True when it is asked for under a condition, or on some platforms only. */
  readonly isConditional: boolean
  /** The platforms that it is for, as Bundler calls them; none for all. */
  readonly platforms: readonly string[]
  readonly line: number
  readonly source: string
}

/** A line that has to be run to be understood. */
export interface NotStatic {
  readonly line: number
  readonly source: string
}

export interface Gemfile {
  readonly gems: readonly AskedGem[]
  /** The line that asks for what the project's gemspec lists. */
  readonly gemspecLine: number | undefined
  readonly notStatic: readonly NotStatic[]
}

/** A block that is open: its `end` closes it. */
interface Block {
  readonly groups: readonly string[]
  readonly elsewhere: string | undefined
  readonly isConditional: boolean
  readonly platforms: readonly string[]
  /** True where nothing is said about gems. */
  readonly isIgnored?: true
}

const outermost: Block = { groups: [], elsewhere: undefined, isConditional: false, platforms: [] }

const maxBlocks = 200
/** Statements that decide nothing about which gems there are; `if` and its like: all branches count. */
const withoutEffect = new Set(['source', 'ruby', 'git_source', 'require', 'require_relative', 'puts', 'warn', 'plugin'])
const beginnings = new Set(['if', 'unless', 'case', 'begin'])
const branches = new Set(['else', 'elsif', 'when', 'in', 'rescue', 'ensure'])
/** These run what is in them many times, later or never. */
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

/** Bundler's own; others name a source that the Gemfile defines with `git_source`. */
const knownOptions = new Set([
  ...elsewhereOptions.keys(),
  ...['group', 'groups', 'platform', 'platforms', 'install_if', 'force_ruby_platform', 'require', 'source', 'type'],
  ...['branch', 'ref', 'tag', 'glob', 'submodules', 'name'],
])

/**
 * What a Gemfile asks for (Bundler's Dsl), without running it. Gems of every branch of a condition and of every platform
 * count. What cannot be read without running it is listed with its line.
 */
export function parseGemfile(text: string, file: 'target' | number): Gemfile {
  const gems: AskedGem[] = []
  const notStatic: NotStatic[] = []
  const blocks: Block[] = []
  const values = new Map<string, string>()
  let gemspecLine: number | undefined
  for (const statement of readStatements(text, file)) {
    const { line, source } = statement
    const tokens = substituted(statement.tokens, values)
    const [first, second, third] = tokens
    const outer = blocks.at(-1) ?? outermost
    const word = first?.kind === 'name' ? first.value : ''
    const opens = opensBlock(tokens)
    const isAssignment = second?.kind === 'sign' && second.value === '=' && word !== ''
    const isOneLine = tokens.at(-1)?.kind === 'name' && tokens.at(-1)?.value === 'end'
    if (hidesMore(word, tokens)) notStatic.push({ line, source })
    if (word === 'end') blocks.pop()
    else if (outer.isIgnored) {
      if (opens || (beginnings.has(word) && !isOneLine)) blocks.push(outer)
    } else if (word === 'gem' && !opens) gems.push(toGem({ line, source, tokens }, outer))
    else if (word === 'gemspec') gemspecLine = line
    else if (isAssignment && !opens) {
      if (third?.kind === 'text' && tokens.length === 3) values.set(word, third.value)
      else values.delete(word)
    } else if (opens && blocks.length < maxBlocks) {
      const block = toBlock(word, tokens, outer)
      blocks.push(block ?? { ...outer, isConditional: true })
      if (block === undefined) notStatic.push({ line, source })
    } else if (beginnings.has(word) && !isOneLine) blocks.push({ ...outer, isConditional: true })
    else if (otherBeginnings.has(word) && !isOneLine) {
      blocks.push({ ...outer, isConditional: true })
      notStatic.push({ line, source })
    } else if (branches.has(word)) continue
    else if (!withoutEffect.has(word)) notStatic.push({ line, source })
  }
  return { gems, gemspecLine, notStatic }
}

/** `add_dependency` and its like; the rest of a gemspec is of no interest here. */
export function parseGemspec(text: string, file: 'target' | number): AskedGem[] {
  return readStatements(text, file).flatMap(({ line, source, tokens }) => {
    const isAdding = ({ value }: Token) => /^add_(?:runtime_|development_)?dependency$/.test(value)
    const at = tokens.findIndex((token) => token.kind === 'name' && isAdding(token))
    if (at === -1) {
      // `send(:add_dependency, …)`: which gem that is, only running it tells.
      return tokens.some(isAdding) ? [toGem({ line, source, tokens: [] }, outermost)] : []
    }
    const groups = tokens[at]!.value === 'add_development_dependency' ? ['development'] : []
    return [toGem({ line, source, tokens: tokens.slice(at) }, { ...outermost, groups })]
  })
}

/**
 * True for a statement after which nothing is sure: a text that goes on in the next line, a here-document, a regular
 * expression where nothing is expected from it, or another statement in the same line as `else` or `when`.
 */
function hidesMore(word: string, tokens: readonly Token[]): boolean {
  if (tokens.some(({ kind }) => kind === 'unfinished')) return true
  if (withoutEffect.has(word))
    return tokens.some(({ kind, value }) => kind === 'sign' && (value === '/' || value === '<'))
  if (word === 'else' || word === 'ensure') return tokens.length > 1
  return branches.has(word) && tokens.slice(0, -1).some(({ kind, value }) => kind === 'name' && value === 'then')
}

function opensBlock(tokens: readonly Token[]): boolean {
  const at = tokens.findLastIndex(({ kind, value }) => kind === 'name' && value === 'do')
  if (at === -1) return false
  const after = tokens.slice(at + 1)
  return after.length === 0 || (after[0]!.value === '|' && after.at(-1)!.value === '|')
}

/** Undefined for a block that may run any number of times. */
function toBlock(word: string, tokens: readonly Token[], outer: Block): Block | undefined {
  const groups = listOf(tokens.slice(1))
  if (word === 'group') return { ...outer, groups: groups.length > 0 ? groups : outer.groups }
  if (word === 'git' || word === 'github' || word === 'path') return { ...outer, elsewhere: elsewhereOptions.get(word) }
  if (word === 'git_source') return { ...outer, isIgnored: true }
  if (!neutralBlocks.has(word)) return undefined
  if (/^platforms?$/.test(word)) return { ...outer, isConditional: true, platforms: [...outer.platforms, ...groups] }
  return word === 'source' ? outer : { ...outer, isConditional: true }
}

function toGem({ line, source, tokens }: Statement, outer: Block): AskedGem {
  const parts = argumentsOf(tokens.slice(1))
  const [nameOf] = parts
  const isNamed = nameOf?.length === 1 && nameOf[0]!.kind === 'text' && nameOf[0]!.value !== ''
  const requirements: string[] = []
  let isStatic = isNamed && !goesOnAfterBrackets(tokens.slice(1))
  let { groups, elsewhere, isConditional, platforms } = outer
  isConditional ||= tokens.some(({ kind, value }) => kind === 'name' && (value === 'if' || value === 'unless'))
  for (const part of parts.slice(1)) {
    const [key, sign] = part
    if (key?.kind === 'symbol' && sign?.value === '=>') {
      if (!knownOptions.has(key.value)) isStatic = false
      if (key.value === 'group' || key.value === 'groups') groups = [...groups, ...listOf(part.slice(2))]
      elsewhere = elsewhereOptions.get(key.value) ?? elsewhere
      isConditional ||= /^(?:platforms?|install_if)$/.test(key.value)
      if (/^platforms?$/.test(key.value)) platforms = [...platforms, ...listOf(part.slice(2))]
    } else {
      const texts = part.filter(({ kind }) => kind === 'text')
      const isList = part.every(({ kind, value }) => kind === 'text' || (kind === 'sign' && '[],'.includes(value)))
      if (texts.length === 0 || !isList) isStatic = false
      requirements.push(...texts.map(({ value }) => value))
    }
  }
  return {
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

/** `gem ('a'), '1'` gives two arguments, of which the brackets hold one. */
function goesOnAfterBrackets(tokens: readonly Token[]): boolean {
  if (tokens[0]?.kind !== 'sign' || tokens[0].value !== '(') return false
  let depth = 0
  for (const [index, { kind, value }] of tokens.entries()) {
    if (kind !== 'sign') continue
    if ('([{'.includes(value)) depth++
    else if (')]}'.includes(value) && --depth === 0) return tokens[index + 1]?.value === ','
  }
  return false
}

/** The parts between commas outside of brackets, up to a condition at the end. */
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

/** Symbols and texts, before anything else begins. */
function listOf(tokens: readonly Token[]): string[] {
  const found: string[] = []
  for (const [index, { kind, value }] of tokens.entries()) {
    if (tokens[index + 1]?.value === '=>') break
    if (kind === 'symbol' || kind === 'text') found.push(value)
    else if (kind !== 'sign') break
  }
  return found
}

/** Names that were given a text before stand for it. */
function substituted(tokens: readonly Token[], values: ReadonlyMap<string, string>): readonly Token[] {
  if (values.size === 0) return tokens
  return tokens.map((token, index): Token => {
    const value = token.kind === 'name' && index > 0 ? values.get(token.value) : undefined
    return value === undefined || tokens[index + 1]?.value === '.' ? token : { kind: 'text', value }
  })
}

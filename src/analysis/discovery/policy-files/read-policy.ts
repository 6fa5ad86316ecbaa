import { type Node, SCALAR_STYLE } from 'js-yaml'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { parseYamlNodes, type YamlNodes } from '#analysis/documents/yaml.ts'
import { MAX_ISSUE_ID_BYTES, MAX_PATH_BYTES, parseIgnorePath } from './ignore-path.ts'
import { parseExpires } from './parse-expires.ts'
import {
  limitNotes,
  type PolicyExclusion,
  type PolicyFile,
  type PolicyRule,
  type ReasonType,
  reasonTypes,
} from './policy-file.ts'

/** Parsing a file of this size takes a tenth of a second. */
export const MAX_POLICY_CHARACTERS = 256 * 1024
export const MAX_RULES = 2_000
const MAX_RULES_OF_ISSUE = 100
const MAX_EXCLUSIONS = 200
const MAX_REASON = 5_000
const MAX_PATTERN = 500
const SHOWN = 80

/** The comment that tools write above a policy file, or a first key that only such files have. */
const SIGN =
  /^#[ \t]*Snyk\b[^\n]*\bpolicy file\b|^(["']?)(?:version\1[ \t]*:[ \t]*["']?v\d|(?:ignore|patch|exclude)\1[ \t]*:)/

/** Recognizes a policy file among files without names. */
export function isPolicyText(text: string): boolean {
  const head = text.slice(0, MAX_POLICY_CHARACTERS).replace(/^\ufeff/, '')
  return SIGN.test(head) || SIGN.test(head.replace(/^(?:[ \t]*(?:#[^\n]*|---[ \t]*)?\r?\n)*/, ''))
}

/** Keys whose settings have no counterpart here; tools write them. */
const unused = new Set(['language-settings', 'failThreshold', 'fail_threshold', 'threshold', 'suggest'])
const detailKeys = new Set([
  'reason',
  'expires',
  'created',
  'disregardIfFixable',
  'reasonType',
  'ignoredBy',
  'source',
  'type',
])

/**
 * Reads a policy file of version 1 as the format's own library does. Unreadable parts are noted and not applied: a rule
 * with an unreadable expiry never becomes one without an expiry.
 */
export function readPolicy(written: string): PolicyFile {
  const notes: string[] = []
  try {
    return readDocument(written.charCodeAt(0) === 0xfeff ? written.slice(1) : written, notes)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const at = error.line === undefined ? '' : ` (line ${error.line})`
    return { rules: [], exclusions: [], notes: [`Not applied: ${error.message}${at}`] }
  }
}

interface Reader extends YamlNodes {
  note(sentence: string, node: Node | undefined): undefined
}

function readDocument(text: string, notes: string[]): PolicyFile {
  if (text.length > MAX_POLICY_CHARACTERS) {
    throw new Unreadable(`The policy file exceeds ${MAX_POLICY_CHARACTERS} characters`)
  }
  if (text.trim() === '') return { rules: [], exclusions: [], notes }
  const nodes = parseYamlNodes(text)
  const reader: Reader = {
    ...nodes,
    note(sentence, node) {
      notes.push(`${sentence} (line ${nodes.lineOf(node)})`)
      return undefined
    },
  }
  const { root } = nodes
  if (root === undefined) return { rules: [], exclusions: [], notes }
  if (root.kind !== 'mapping') throw new Unreadable('Invalid YAML: expected a map', { line: 1 })
  const sections = new Map(root.items.map((pair) => [textOf(pair.key), pair] as const))
  const section = (name: string) => {
    const pair = sections.get(name)
    return pair && reader.resolve(pair.value)
  }
  requireVersion(section('version'))
  const rules = readRules(section('ignore'), reader)
  const exclusions = readExclusions(section('exclude'), reader)
  const patches = section('patch')
  if (patches?.kind === 'mapping' && patches.items.length > 0) {
    const count = patches.items.length
    reader.note(`Patches are not applied: ${count} ${count === 1 ? 'issue' : 'issues'} of "patch"`, patches)
  }
  for (const [name = '', { key, value }] of sections) {
    if (['version', 'ignore', 'exclude', 'patch'].includes(name) || isEmpty(value)) continue
    const word = unused.has(name) ? 'The setting' : 'The unknown key'
    reader.note(`${word} "${shown(name)}" is not applied`, key)
  }
  return { rules, exclusions, notes: limitNotes(notes) }
}

function requireVersion(node: Node | undefined): void {
  const version = textOf(node)
  if (version === undefined || version === '' || /^v?1(?:\.\d{1,9}){0,2}$/.test(version)) return
  throw new Unreadable(`Unsupported policy file version ${shown(version)}; supported: v1`)
}

/** Reads the lists of the issue ids; each item has a path as its key and the details below it. */
function readRules(section: Node | undefined, reader: Reader): PolicyRule[] {
  if (isEmpty(section)) return []
  if (section?.kind !== 'mapping') {
    reader.note('"ignore" was not applied: expected a map of issue ids', section)
    return []
  }
  const rules = new Map<string, PolicyRule>()
  const counts = new Map<string, number>()
  for (const { key, value } of section.items) {
    const issueId = toIssueId(textOf(key) ?? '')
    const list = reader.resolve(value)
    if (isEmpty(list)) continue
    if (issueId === undefined)
      reader.note(`The ignore of "${shown(textOf(key) ?? '')}" was not applied: not an issue id`, key)
    else if (list.kind !== 'sequence')
      reader.note(`The ignore of ${issueId} was not applied: expected a list of paths`, key)
    else {
      for (const entry of readEntries(list.items, { of: issueId, reader })) {
        const rule = toRule(issueId, entry, reader)
        if (rule === undefined) continue
        const id = JSON.stringify([issueId, rule.path])
        const existing = rules.get(id)
        const count = counts.get(issueId) ?? 0
        if (existing !== undefined)
          reader.note(
            `The ignore of ${issueId} on ${shown(rule.path)} is repeated; the later expiry applies`,
            entry.node,
          )
        else if (rules.size === MAX_RULES) throw new Unreadable(`The policy file exceeds ${MAX_RULES} rules`)
        else if (count === MAX_RULES_OF_ISSUE) {
          reader.note(`Only ${MAX_RULES_OF_ISSUE} paths of ${issueId} were applied; use * in one of them`, entry.node)
          break
        } else counts.set(issueId, count + 1)
        if (existing === undefined || endOf(rule) > endOf(existing)) rules.set(id, rule)
      }
    }
  }
  return [...rules.values()]
}

function endOf({ expiresAt }: PolicyRule): number {
  return expiresAt ?? Number.POSITIVE_INFINITY
}

/** Normalizes an issue id, whose prefix and case differ among tools. */
function toIssueId(text: string): string | undefined {
  const id = text.trim().replace(/^snyk:(?=lic:)/, '')
  if (id === '' || Buffer.byteLength(id) > MAX_ISSUE_ID_BYTES || hasControls(id)) return undefined
  if (/^cve-/i.test(id)) return id.toUpperCase()
  return /^ghsa-/i.test(id) ? `GHSA${id.slice(4).toLowerCase()}` : id
}

interface Entry {
  readonly key: string
  readonly details: ReadonlyMap<string, Node>
  readonly node: Node
}

/** Reads list items `key: details`; details at the indentation of their key belong to it too. */
function readEntries(
  items: readonly Node[],
  { of, takesTexts = false, reader }: { of: string; takesTexts?: boolean; reader: Reader },
): Entry[] {
  return items.flatMap((item): Entry[] => {
    const map = reader.resolve(item)
    if (takesTexts && map.kind === 'scalar') return [{ key: textOf(map) ?? '', details: new Map(), node: item }]
    if (map.kind !== 'mapping') {
      reader.note(`An entry of ${of} was not applied: expected a map of a path`, item)
      return []
    }
    const pairs = map.items.map(({ key, value }) => ({
      key: textOf(key) ?? '',
      node: key,
      value: reader.resolve(value),
    }))
    const [first, ...others] = pairs
    if (first === undefined) return []
    const beside = others.filter(({ key, value }) => detailKeys.has(key) && value.kind !== 'mapping')
    if (beside.length === others.length && others.length > 0 && isEmpty(first.value)) {
      return [{ key: first.key, node: first.node, details: new Map(others.map(({ key, value }) => [key, value])) }]
    }
    if (beside.length > 0) {
      reader.note(`An entry of ${of} was not applied: indent its details below its path`, first.node)
      return []
    }
    return pairs.flatMap(({ key, node, value }): Entry[] => {
      if (isEmpty(value)) return [{ key, node, details: new Map() }]
      if (value.kind !== 'mapping') {
        reader.note(`An entry of ${of} was not applied: expected a map of details`, node)
        return []
      }
      if (value.items.some((pair) => textOf(pair.key) === '<<')) {
        reader.note(`An entry of ${of} was not applied: merge keys (<<) are not read`, node)
        return []
      }
      const details = new Map(value.items.map((pair) => [textOf(pair.key) ?? '', reader.resolve(pair.value)]))
      return [{ key, node, details }]
    })
  })
}

function toRule(issueId: string, { key, details, node }: Entry, reader: Reader): PolicyRule | undefined {
  const refuse = (why: string) => reader.note(`The ignore of ${issueId} was not applied: ${why}`, node)
  const path = parseIgnorePath(key)
  if (typeof path === 'string') return refuse(`its path ${path}`)
  if (hasControls(path.text) || Buffer.byteLength(path.text) > MAX_PATH_BYTES) {
    return refuse('its path is too long or has control characters')
  }
  if (/(?:^| > )\* > \*(?: > |$)/.test(path.text)) return refuse('two * follow each other, which match no path')
  const misspelled = [...details.keys()].find(isMisspelled)
  if (misspelled !== undefined) return refuse(`unknown key "${shown(misspelled)}", which seems to limit it`)
  const expiresAt = toExpiry(details)
  if (expiresAt === undefined) return refuse(`"${shown(textOf(details.get('expires')) ?? '')}" is not a date`)
  const fixable = details.get('disregardIfFixable')
  const word = isEmpty(fixable) ? 'false' : (textOf(fixable) ?? '').trim().toLowerCase()
  if (word !== 'true' && word !== 'false') return refuse('disregardIfFixable must be true or false')
  return {
    issueId,
    path: path.text,
    reason: toReason(details),
    reasonType: toReasonType(textOf(details.get('reasonType'))),
    disregardIfFixable: word === 'true',
    expiresAt,
    line: reader.lineOf(node),
  }
}

/** Recognizes keys that are meant to limit a rule, which would hold forever without them. */
function isMisspelled(key: string): boolean {
  return /^(?:expire|expiry|expiration|disregard)/i.test(key.trim()) && !detailKeys.has(key)
}

function toExpiry(details: ReadonlyMap<string, Node>): number | null | undefined {
  const node = details.get('expires')
  if (isEmpty(node)) return null
  const text = textOf(node)
  return text === undefined ? undefined : parseExpires(text)
}

const NO_REASON = 'None given'

/** Returns the reason; tools write "None given" if there is none. */
function toReason(details: ReadonlyMap<string, Node>): string | undefined {
  const node = details.get('reason')
  const text = isEmpty(node) ? '' : (textOf(node) ?? '').trim().slice(0, MAX_REASON).trimEnd()
  return text === '' || text === NO_REASON ? undefined : clean(text)
}

function toReasonType(text: string | undefined): ReasonType {
  return reasonTypes.find((reasonType) => reasonType === text) ?? 'temporary-ignore'
}

/** Reads the group `global`; the others are for other kinds of scans. */
function readExclusions(section: Node | undefined, reader: Reader): PolicyExclusion[] {
  if (isEmpty(section)) return []
  if (section?.kind !== 'mapping') {
    reader.note('"exclude" was not applied: expected a map of groups', section)
    return []
  }
  const exclusions: PolicyExclusion[] = []
  for (const { key, value } of section.items) {
    const group = textOf(key) ?? ''
    const list = reader.resolve(value)
    if (isEmpty(list)) continue
    if (group !== 'global') reader.note(`"exclude" of "${shown(group)}" is not for dependencies and not applied`, key)
    else if (list.kind !== 'sequence') reader.note('"exclude" of "global" was not applied: expected a list', key)
    else {
      for (const entry of readEntries(list.items, { of: '"exclude"', takesTexts: true, reader })) {
        const exclusion = toExclusion(entry, reader)
        if (exclusion === undefined) continue
        if (exclusions.length === MAX_EXCLUSIONS)
          throw new Unreadable(`The policy file exceeds ${MAX_EXCLUSIONS} exclusions`)
        exclusions.push(exclusion)
      }
    }
  }
  return exclusions
}

function toExclusion({ key, details, node }: Entry, reader: Reader): PolicyExclusion | undefined {
  const pattern = key.trim()
  const refuse = (why: string) => reader.note(`The exclusion of "${shown(key)}" was not applied: ${why}`, node)
  if (pattern === '' || pattern.length > MAX_PATTERN || hasControls(pattern)) return refuse('invalid path pattern')
  if (pattern.startsWith('!')) return refuse('patterns that begin with ! are not read')
  if (pattern.split('/').includes('..')) return refuse('it leaves the folder of the file')
  const misspelled = [...details.keys()].find(isMisspelled)
  if (misspelled !== undefined) return refuse(`unknown key "${shown(misspelled)}", which seems to limit it`)
  const expiresAt = toExpiry(details)
  if (expiresAt === undefined) return refuse('its expiry is not a date')
  return { pattern, reason: toReason(details), expiresAt, line: reader.lineOf(node) }
}

/** The text of a scalar; undefined for other nodes. */
function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' ? node.value : undefined
}

/** Recognizes a missing value, and the spellings of null. */
function isEmpty(node: Node | undefined): boolean {
  if (node === undefined) return true
  if (node.kind === 'mapping' || node.kind === 'sequence') return node.items.length === 0
  return (
    node.kind === 'scalar' &&
    (node.value === '' || (node.style === SCALAR_STYLE.PLAIN && /^(?:null|~)$/.test(node.value)))
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const REPLACED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

function hasControls(text: string): boolean {
  return CONTROLS.test(text)
}

function clean(text: string): string {
  return text.replace(REPLACED, '\ufffd').toWellFormed()
}

function shown(text: string): string {
  return clean(text.slice(0, SHOWN)).replaceAll('\n', ' ')
}

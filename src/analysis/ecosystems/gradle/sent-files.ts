import { type IdentifiedFile, identifyFiles } from '../../file-kinds/identify-files.ts'
import { type Manifest, Unreadable } from '../ecosystem.ts'
import { dropOthers, isAbove } from './above.ts'
import { nameContradictions } from './branches.ts'
import { readCatalogue } from './catalogue.ts'
import { findCutOff } from './cut-off.ts'
import type { Statement } from './expressions.ts'
import { countExtended, findExtended } from './extended.ts'
import { type Locked, readLockfile } from './lockfile.ts'
import { addOfPlugins, nameMissingLocks, nameUnknownPlugins } from './plugins.ts'
import { createFacts, readScript, type ScriptFacts } from './script.ts'
import { readVariables } from './script-variables.ts'
import { readCatalogues, readSettings } from './settings.ts'
import { parseScript } from './syntax.ts'
import { type Token, tokenize } from './tokens.ts'
import { findAssigned, nameUnreadCoordinates, nameUnreadUses } from './unaccounted.ts'
import { createVariables, type Variables } from './values.ts'

/** What the sent files say together. */
export interface SentFiles {
  readonly facts: ScriptFacts
  readonly variables: Variables
  readonly locked: readonly Locked[]
  readonly hasLock: boolean
  /** How many other build scripts came with the target. */
  readonly others: number
  /** Taken from a repository: whether a script that is applied was found there. */
  isFound?(path: string): boolean
  readonly filesRead: string[]
}

type Kind = 'build.gradle' | 'settings.gradle' | 'gradle.properties' | 'version catalogue' | 'lockfile'

interface SentFile {
  readonly file: 'target' | number
  readonly text: string
  readonly kind: Kind
}

/** The requests name no files, so that they are told apart by what is in them; the target is always a build script. */
export function readSentFiles(manifest: Manifest): SentFiles {
  const { places } = manifest
  const files = identifyFiles('gradle', manifest).map((each): SentFile => ({ ...each, kind: kindOf(each, places) }))
  const ofKind = (kind: Kind) => files.filter((each) => each.kind === kind)
  const variables = createVariables()
  for (const { text } of ofKind('gradle.properties')) readProperties(text, variables)
  for (const each of ofKind('version catalogue')) readCatalogue(each, variables)
  const parse = ({ file, text }: SentFile) => {
    const tokens = tokenize({ file, text, language: 'gradle' })
    return { file, tokens, statements: parseScript(tokens) }
  }
  const settings = ofKind('settings.gradle').map(parse)
  for (const { statements } of settings) readCatalogues(statements, variables)
  const scripts = ofKind('build.gradle').map(parse)
  // Of a repository the empty script of its root is sent with those that are not.
  if (places === undefined && files.length === 1 && scripts[0]?.statements.length === 0)
    throw new Unreadable('This is not a build script: it says nothing')
  const drafted = draft(
    scripts.map(({ statements }) => statements),
    variables,
  )
  const facts = createFacts()
  for (const each of settings) {
    const context = { file: each.file, variables, facts, isBuild: false }
    readSettings(each, context)
    findCutOff(each.tokens, context)
  }
  const assigned = new Set<string>()
  const read = scripts.map(({ file, tokens, statements: all }) => {
    const statements = places === undefined ? all : dropOthers(all, { file, places, facts })
    const own = createVariables(drafted)
    readVariables(statements, own)
    const isOfAbove = file !== 'target' && isAbove(places?.additional[file])
    const context = { file, variables: own, facts, isBuild: false, isAbove: isOfAbove }
    readScript(statements, context)
    findAssigned(statements, own, assigned)
    nameUnreadUses(tokens, context)
    findCutOff(tokens, context)
    return { tokens, context }
  })
  for (const { tokens, context } of read) nameUnreadCoordinates(tokens, assigned, context)
  countExtended(
    facts,
    read.flatMap(({ tokens }) => findExtended(tokens)),
  )
  nameContradictions(facts)
  addOfPlugins(facts, drafted)
  const locks = ofKind('lockfile')
  if (locks.length === 0) {
    const made = new Set(read.flatMap(({ tokens }) => classesIn(tokens)))
    nameUnknownPlugins(facts, (id) => made.has(id) || isPluginBeside(id, places))
    nameMissingLocks(facts)
  }
  return {
    facts,
    variables: drafted,
    locked: locks.flatMap(readLockfile),
    hasLock: locks.length > 0,
    others: scripts.length - 1,
    ...(places && { isFound: (path) => places.additional.some((each) => isSameFile(each, path)) }),
    filesRead: files.map(({ kind }) => kind),
  }
}

/**
 * What all scripts set together: twice, since scripts may lean on what others set; what the target sets goes before what
 * others do. Of variables with equal names in several scripts each script sees its own.
 */
function draft([target = [], ...others]: readonly (readonly Statement[])[], variables: Variables): Variables {
  let drafted = variables
  for (let round = 0; round < 2; round++) {
    const next = createVariables(drafted)
    for (const statements of [target, ...others, target]) readVariables(statements, next)
    drafted = next
  }
  return drafted
}

/** Names of classes that scripts define. */
function classesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, at) => {
    const name = tokens[at + 1]
    return token.kind === 'name' && token.text === 'class' && name?.kind === 'name' ? name.text : []
  })
}

/** True when the script that is the plugin (`buildSrc/src/main/kotlin/x.gradle.kts`) came with the target. */
function isPluginBeside(id: string, places: Manifest['places']): boolean {
  return places?.additional.some((each) => /([^/]*)\.gradle(?:\.kts)?$/.exec(each)?.[1] === id) === true
}

/** The last parts of a path that may begin with where the build lies. */
function isSameFile(path: string, written: string): boolean {
  const plain = written.replace(/^\W*(?:rootDir|projectDir|rootProject\.\w+)\W*\//, '').replace(/^(?:\.{1,2}\/)+/, '')
  return path === plain || path.endsWith(`/${plain}`)
}

function kindOf({ file, kind }: IdentifiedFile, places: Manifest['places']): Kind {
  if (file === 'target') return 'build.gradle'
  const named = kindAt(places?.additional[file])
  if (named !== undefined) return named
  if (kind === 'settings.gradle' || kind === 'gradle.properties') return kind
  if (kind === 'libs.versions.toml') return 'version catalogue'
  return kind === 'build.gradle' ? 'build.gradle' : 'lockfile'
}

function kindAt(path: string | undefined): Kind | undefined {
  const name = path?.split('/').at(-1) ?? ''
  if (/^settings\.gradle(?:\.kts)?$/.test(name)) return 'settings.gradle'
  if (/\.gradle(?:\.kts)?$/.test(name)) return 'build.gradle'
  if (name.endsWith('.properties')) return 'gradle.properties'
  if (name.endsWith('.toml')) return 'version catalogue'
  return /\.lock(?:file)?$/.test(name) ? 'lockfile' : undefined
}

function readProperties(text: string, variables: Variables): void {
  for (const line of text.split('\n')) {
    const [, key, value] = /^\s*([\w.-]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? []
    if (key !== undefined && value !== undefined) variables.set([key], value)
  }
}

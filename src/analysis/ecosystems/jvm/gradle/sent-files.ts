import { type IdentifiedFile, identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { readProperties } from '#analysis/documents/properties.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { dropOthers, isAbove } from './above.ts'
import { reportContradictions } from './branches.ts'
import { findCutOff } from './cut-off.ts'
import { countExtended, findExtended } from './extended.ts'
import { createFacts, type ScriptFacts } from './facts.ts'
import type { Statement } from './language/expressions.ts'
import { readVariables } from './language/script-variables.ts'
import { parseScript } from './language/syntax.ts'
import { type Token, tokenize } from './language/tokens.ts'
import { createVariables, type Variables } from './language/values.ts'
import { findLockFaults, type Locked, mergeLocks, readLockfile } from './lockfile.ts'
import { CANDIDATES_NOTE, readLoneLock, toScript } from './lone-files.ts'
import { readCatalogs, reportMissingCatalogs } from './named-catalogs.ts'
import { addOfPlugins, reportMissingLocks, reportUnknownPlugins } from './plugins.ts'
import { readScript } from './script.ts'
import { readSettings } from './settings.ts'
import { reportUnreadCoordinates, reportUnreadUses } from './unaccounted.ts'

/** The combined facts of the sent files. */
export interface SentFiles {
  readonly facts: ScriptFacts
  readonly variables: Variables
  readonly locked: readonly Locked[]
  readonly hasLock: boolean
  /** Number of build scripts besides the target. */
  readonly others: number
  /** For files from a repository: returns true if an applied script was found there. */
  isFound?(path: string): boolean
  readonly filesRead: string[]
  /** Sentences about facts that the files do not contain. */
  readonly notes: readonly string[]
}

type Kind = 'build.gradle' | 'settings.gradle' | 'gradle.properties' | 'version catalog' | 'lockfile'

interface SentFile {
  readonly file: 'target' | number
  readonly text: string
  readonly kind: Kind
}

/**
 * Reads the files. Those of a request have no names and are identified by content. A target that is a lock or a version
 * catalog represents the project unless a build script was sent with it.
 */
export function readSentFiles(manifest: Manifest): SentFiles {
  const { places } = manifest
  const files = identifyFiles('gradle', manifest).map((file): SentFile => ({ ...file, kind: kindOf(file, places) }))
  const ofKind = (kind: Kind) => files.filter((file) => file.kind === kind)
  const variables = createVariables()
  for (const { text } of ofKind('gradle.properties')) {
    for (const [key, value] of readProperties(text)) variables.set([key], value)
  }
  const parse = ({ file, text }: SentFile) => {
    const tokens = tokenize({ file, text })
    return { file, tokens, statements: parseScript(tokens) }
  }
  const settings = ofKind('settings.gradle').map(parse)
  const missing = readCatalogs({ settings, catalogs: ofKind('version catalog'), places }, variables)
  const hasScript = ofKind('build.gradle').length > 0
  const [catalog] = hasScript ? [] : ofKind('version catalog').filter(({ file }) => file === 'target')
  const scripts = (catalog ? [{ ...catalog, text: toScript(catalog) }] : ofKind('build.gradle')).map(parse)
  // Files of a repository may include an empty root script with the others.
  if (places === undefined && files.length === 1 && scripts[0]?.statements.length === 0)
    throw new Unreadable('The build script has no statements. Send the whole script')
  const drafted = draft(
    scripts.map(({ statements }) => statements),
    variables,
  )
  const facts = createFacts()
  for (const setting of settings) {
    const context = { file: setting.file, variables, facts, isBuild: false }
    readSettings(setting, context)
    findCutOff(setting.tokens, context)
  }
  const read = scripts.map(({ file, tokens, statements: all }) => {
    const statements = places === undefined ? all : dropOthers(all, { file, places, facts })
    const own = createVariables(drafted)
    readVariables(statements, own)
    const isOfAbove = file !== 'target' && isAbove(places?.additional[file])
    const context = { file, variables: own, facts, isBuild: false, isAbove: isOfAbove }
    readScript(statements, context)
    reportUnreadUses(tokens, context)
    findCutOff(tokens, context)
    return { tokens, context }
  })
  for (const { tokens, context } of read) reportUnreadCoordinates(tokens, context)
  countExtended(
    facts,
    read.flatMap(({ tokens }) => findExtended(tokens)),
  )
  reportMissingCatalogs(missing, read, facts)
  reportContradictions(facts)
  addOfPlugins(facts, drafted)
  const locks = ofKind('lockfile')
  for (const lock of locks) facts.unread.push(...findLockFaults(lock))
  if (locks.length === 0) {
    const made = new Set(read.flatMap(({ tokens }) => classesIn(tokens)))
    reportUnknownPlugins(facts, (id) => made.has(id) || isPluginBeside(id, places))
    reportMissingLocks(facts, scripts)
  }
  return {
    facts,
    variables: drafted,
    locked: hasScript ? mergeLocks(locks.map((lock) => readLockfile(lock, places))) : locks.flatMap(readLoneLock),
    hasLock: locks.length > 0,
    others: Math.max(0, scripts.length - 1),
    ...(places && { isFound: (path) => places.additional.some((additionalPath) => isSameFile(additionalPath, path)) }),
    filesRead: files.map(({ kind }) => kind),
    notes: catalog === undefined ? [] : [CANDIDATES_NOTE],
  }
}

/**
 * Collects the variables of all scripts, twice, since scripts may use each other's. The target's values take
 * precedence. Each script sees its own variable if several have the same name.
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

/** Returns the names of classes defined in scripts. */
function classesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, at) => {
    const name = tokens[at + 1]
    return token.kind === 'name' && token.text === 'class' && name?.kind === 'name' ? name.text : []
  })
}

/** Returns true if the plugin's own script (`buildSrc/src/main/kotlin/x.gradle.kts`) was sent. */
function isPluginBeside(id: string, places: Manifest['places']): boolean {
  return places?.additional.some((path) => /([^/]*)\.gradle(?:\.kts)?$/.exec(path)?.[1] === id) === true
}

/** Compares the last parts of paths, which may begin with the build's folder. */
function isSameFile(path: string, written: string): boolean {
  const plain = written.replace(/^\W*(?:rootDir|projectDir|rootProject\.\w+)\W*\//, '').replace(/^(?:\.{1,2}\/)+/, '')
  return path === plain || path.endsWith(`/${plain}`)
}

function kindOf({ file, kind }: IdentifiedFile, places: Manifest['places']): Kind {
  if (file === 'target' && kind !== 'gradle.lockfile' && kind !== 'libs.versions.toml') return 'build.gradle'
  const pathKind = file === 'target' ? undefined : kindAt(places?.additional[file])
  if (pathKind !== undefined) return pathKind
  if (kind === 'settings.gradle') return 'settings.gradle'
  if (kind === 'gradle.properties') return 'gradle.properties'
  if (kind === 'libs.versions.toml') return 'version catalog'
  return kind === 'build.gradle' ? 'build.gradle' : 'lockfile'
}

function kindAt(path: string | undefined): Kind | undefined {
  const name = path?.split('/').at(-1) ?? ''
  if (/^settings\.gradle(?:\.kts)?$/.test(name)) return 'settings.gradle'
  if (/\.gradle(?:\.kts)?$/.test(name)) return 'build.gradle'
  if (name.endsWith('.properties')) return 'gradle.properties'
  if (name.endsWith('.toml')) return 'version catalog'
  return /\.lock(?:file)?$/.test(name) ? 'lockfile' : undefined
}

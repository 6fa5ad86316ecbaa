import type { SourcePosition } from '../pom.ts'
import { plainDeclaration, reportUnread, type ScriptContext, type ScriptFacts } from './facts.ts'
import { isQuietPlugin, LOCKING_PLUGIN } from './known-plugins.ts'
import { type Call, closureOf, type Expression, type Statement } from './language/expressions.ts'
import { withBlocks, wordOf } from './language/tokens.ts'
import { evaluate, showText, type Variables } from './language/values.ts'
import type { ParsedScript } from './named-catalogs.ts'

/** Reads `plugins { id 'x' version '1'; kotlin("jvm"); alias(libs.plugins.x); `java-library` }`. */
export function readPlugins(statements: readonly Statement[], context: ScriptContext) {
  // Versions declared above also apply below.
  const used = context.isAbove ? [] : context.facts.used
  readAll(statements, { ...context, facts: { ...context.facts, used } })
}

function readAll(statements: readonly Statement[], context: ScriptContext) {
  for (const { value, kind, line } of statements) {
    if (kind !== 'expression') continue
    if (value.kind === 'path') use(value.names.join('.'), line, context)
    if (value.kind === 'call') readPlugin(value, context)
  }
}

function readPlugin({ names, positional, chained, line }: Call, context: ScriptContext) {
  const { facts, variables } = context
  const [first] = positional
  const value = first && evaluate(first, variables)
  const fromCatalog = value instanceof Map ? value : undefined
  const pluginName = fromCatalog?.get('id') ?? value
  const isApplied = !chained.some((call) => call.names.at(-1) === 'apply' && call.positional.some(isFalse))
  if (typeof pluginName !== 'string') {
    if (isApplied) use(first === undefined ? names.join('.') : show(first), line, context)
    return
  }
  const version = chained.find((call) => call.names.at(-1) === 'version')?.positional[0]
  const text = version === undefined ? fromCatalog?.get('version') : evaluate(version, variables)
  const id = names.at(-1) === 'kotlin' ? `org.jetbrains.kotlin.${pluginName}` : pluginName
  facts.plugins.set(id, typeof text === 'string' ? text : facts.plugins.get(id))
  if (isApplied) use(id, line, context)
}

function isFalse(value: Expression): boolean {
  return value.kind === 'path' && value.names.join() === 'false'
}

/** Reads `apply plugin: 'x', from: 'y'`, `apply { plugin 'x' }`, `apply<X>()`, `pluginManager.apply('x')`. */
export function readApply(call: Call, context: ScriptContext) {
  const { names, keywordArgs, positional, types, line } = call
  const maps = positional.flatMap((expression) => (expression.kind === 'map' ? expression.entries : []))
  for (const { name, value } of [...keywordArgs, ...maps]) readApplied(name, value, line, context)
  for (const { value } of closureOf(call)) {
    const [first] = value.kind === 'call' ? value.positional : []
    if (value.kind === 'call' && first !== undefined) readApplied(value.names.at(-1)!, first, value.line, context)
  }
  for (const type of types.slice(-1)) use(type, line, context)
  if (!/^(?:plugins|pluginManager)$/.test(names.at(-2) ?? '')) return
  for (const expression of positional) readApplied('plugin', expression, line, context)
}

function readApplied(name: string, value: Expression, line: number, context: ScriptContext) {
  const { facts, variables, file } = context
  const text = evaluate(value, variables)
  const shown = typeof text === 'string' ? text : show(value)
  if (name === 'plugin' || name === 'type') {
    const id = shown.replace(/(?:\.class(?:\.java)?|::class(?:\.java)?)$/, '')
    if (!facts.plugins.has(id)) facts.plugins.set(id, undefined)
    use(id, line, context)
  }
  if (name === 'from') {
    facts.applied.push({ path: shown === 'an expression' ? 'a script' : shown, place: { file, line } })
  }
}

function show(value: Expression): string {
  if (value.kind === 'text') return showText(value.parts)
  if (value.kind === 'path') return value.names.join('.')
  return value.kind === 'call' ? `${value.names.join('.')}(…)` : 'an expression'
}

function use(id: string, line: number, { facts, file, isBuild }: ScriptContext) {
  if (!isBuild) facts.used.push({ id, place: { file, line } })
}

/** Packages that Kotlin's plugins add in their own version since version 1.4. */
const ADDED: readonly { readonly plugin: RegExp; readonly artifact: string }[] = [
  {
    plugin: /^(?:kotlin(?:-android|-multiplatform)?|org\.jetbrains\.kotlin\.(?:jvm|android|multiplatform))$/,
    artifact: 'kotlin-stdlib',
  },
  { plugin: /^(?:kotlin-parcelize|org\.jetbrains\.kotlin\.plugin\.parcelize)$/, artifact: 'kotlin-parcelize-runtime' },
  {
    plugin: /^(?:kotlin-android-extensions|org\.jetbrains\.kotlin\.android\.extensions)$/,
    artifact: 'kotlin-android-extensions-runtime',
  },
]
const KOTLIN = 'org.jetbrains.kotlin'

/** Adds the packages of known plugins; a declared Kotlin library replaces the plugin's. */
export function addOfPlugins(facts: ScriptFacts, variables: Variables) {
  const version = findKotlinVersion(facts)
  for (const { plugin, artifact } of ADDED) {
    const used = facts.used.find(({ id }) => plugin.test(id))
    const isDeclared = facts.dependencies.some(
      (dependency) =>
        dependency.group === KOTLIN &&
        !dependency.isDev &&
        dependency.kind === 'dependency' &&
        dependency.artifact.startsWith(artifact),
    )
    if (used === undefined || isDeclared || /^(?:0\.|1\.[0-3](?:\.|$))/.test(version ?? '')) continue
    if (artifact === 'kotlin-stdlib' && variables.get(['kotlin', 'stdlib', 'default', 'dependency']) === 'false')
      continue
    facts.dependencies.push({
      group: KOTLIN,
      artifact,
      version: { ...(version === undefined ? {} : { requires: version }), rejects: [] },
      ...plainDeclaration,
      place: used.place,
    })
  }
}

/** Returns the version of any Kotlin plugin, by id or as a package of the build. */
export function findKotlinVersion({ plugins, dependencies }: ScriptFacts): string | undefined {
  const ofPlugin = [...plugins].find(([id, version]) => id.startsWith(`${KOTLIN}.`) && version !== undefined)?.[1]
  const ofBuild = dependencies.find(
    (dependency) => dependency.isBuild && dependency.artifact === 'kotlin-gradle-plugin',
  )?.version
  return ofPlugin ?? ofBuild?.strictly ?? ofBuild?.requires
}

/**
 * Reports every plugin that may add dependencies, unless a sent script defines it. Locked versions include all
 * additions of plugins.
 */
export function reportUnknownPlugins(facts: ScriptFacts, isSent: (id: string) => boolean) {
  const seen = new Set<string>()
  for (const { id, place } of facts.used) {
    if (seen.has(id) || isQuietPlugin(id) || LOCKING_PLUGIN.test(id) || isSent(id)) continue
    seen.add(id)
    const reason = 'Unknown plugin, which may add dependencies'
    reportUnread(facts, { name: `plugin ${id}`, reason, place })
  }
}

/** Reports locking calls if no lockfile was sent. */
export function reportMissingLocks(facts: ScriptFacts, scripts: readonly ParsedScript[]) {
  const reason = 'The script locks versions, and no lockfile came with it. Send the lockfile too'
  const report = (place: SourcePosition, isDev: boolean) =>
    reportUnread(facts, { name: 'lockfile', code: 'lockfile-not-read', reason, place, isDev })
  for (const { id, place } of facts.used) if (LOCKING_PLUGIN.test(id)) report(place, false)
  for (const { file, tokens } of scripts) {
    for (const { token, blocks } of withBlocks(tokens)) {
      const isLocking = /^(?:dependencyLocking|activateDependencyLocking)$/.test(wordOf(token) ?? '')
      if (isLocking) report({ file, line: token.line }, blocks.includes('buildscript'))
    }
  }
}

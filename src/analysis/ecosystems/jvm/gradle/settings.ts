import type { CatalogSource } from './catalog.ts'
import { reportUnread, type ScriptContext } from './facts.ts'
import { type Call, callsIn, closureOf, type Statement } from './language/expressions.ts'
import { parseScript } from './language/syntax.ts'
import { signAt, type Token, tokenize, withBlocks } from './language/tokens.ts'
import { evaluate } from './language/values.ts'
import { readApply, readPlugins } from './plugins.ts'
import { isWay, reportDependencies } from './unaccounted.ts'

const OF_SETTINGS =
  /^(?:rootProject\.name|include|includeBuild|includeFlat|pluginManagement|dependencyResolutionManagement)$/
/** Blocks that only occur in build scripts; a script with one is never taken for settings. */
const OF_BUILDS = /^(?:configurations|allprojects|subprojects|dependencyManagement|android|kotlin)$/
/** Blocks of settings whose dependencies do not belong to projects. */
const OF_SETTINGS_ALONE = /^(?:buildscript|pluginManagement|dependencyResolutionManagement)$/

/**
 * Returns true if an unnamed script is settings.gradle, judged by its top-level calls; never if it declares
 * dependencies of projects.
 */
export function isSettings(source: CatalogSource): boolean {
  const tokens = tokenize(source)
  const said = parseScript(tokens).map((statement) => {
    const names = statement.kind === 'assign' ? statement.names : undefined
    const called = statement.kind === 'expression' && statement.value.kind === 'call' ? statement.value.names : []
    return (names ?? called).join('.').replace(/^settings\./, '')
  })
  if (!said.some((name) => OF_SETTINGS.test(name)) || said.some((name) => OF_BUILDS.test(name))) return false
  return findDependencies(tokens).length === 0
}

/**
 * Returns the tokens of dependencies that settings declare for projects (`gradle.allprojects { dependencies { … } }`).
 */
function findDependencies(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = []
  for (const { token, at, blocks } of withBlocks(tokens)) {
    if (token.kind !== 'name' || !(token.text === 'dependencies' || isWay(token.text))) continue
    const isUsed = /^(?:\{|\(|\.|\?\.)$/.test(signAt(tokens, at + 1))
    if (isUsed && !blocks.some((block) => OF_SETTINGS_ALONE.test(block))) result.push(token)
  }
  return result
}

/** Included builds of the build's own plugins, which are reported where they are applied. */
const OF_PLUGINS = /(?:build-?(?:logic|src)|convention|plugin)/i

/**
 * Reads the effects of settings on projects: plugins, scripts, rules, and included builds that replace published
 * packages.
 */
export function readSettings(
  { tokens, statements }: { readonly tokens: readonly Token[]; readonly statements: readonly Statement[] },
  context: ScriptContext,
) {
  for (const token of findDependencies(tokens)) reportDependencies(token, context)
  for (const call of callsIn(statements)) {
    const name = call.names.at(-1)!
    if (name === 'plugins') readPlugins(closureOf(call), context)
    if (name === 'apply') readApply(call, context)
    if (name === 'includeBuild') reportBuild(call, context)
    if (name !== 'dependencyResolutionManagement') continue
    for (const { names, line } of callsIn(closureOf(call))) {
      if (names[0] === 'components')
        reportUnread(context.facts, { name: 'components', place: { file: context.file, line } })
    }
  }
}

function reportBuild({ positional, line }: Call, { facts, file, variables }: ScriptContext) {
  const path = positional[0] && evaluate(positional[0], variables)
  if (typeof path === 'string' && OF_PLUGINS.test(path)) return
  const name = `build ${typeof path === 'string' ? path : '?'}`
  const reason = 'The included build may replace published packages, and it was not sent'
  reportUnread(facts, { name, code: 'not-from-registry', reason, place: { file, line } })
}

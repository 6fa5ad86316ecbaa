import { isDevConfiguration } from './configurations.ts'
import type { ScriptFacts } from './facts.ts'
import { signAt, type Token, withBlocks, wordOf } from './language/tokens.ts'

/** Configurations of build archives, which are not on a class path. */
const OF_ARCHIVES = /^(?:archives|default)$/
const NO_CONFIGURATION = /^(?:configurations|getByName|named|get|project|getAt)$/

/** Returns the configurations extended by others than those of tests and tools: `implementation.extendsFrom(docs)`. */
export function findExtended(tokens: readonly Token[]): string[] {
  const found: string[] = []
  for (const { token, at, blocks } of withBlocks(tokens)) {
    const isClassPath = signAt(tokens, at) === '+=' && /Classpath$/.test(wordOf(tokens[at - 1]) ?? '')
    if (isClassPath && !blocks.some((each) => /test/i.test(each))) found.push(...namesBehind(tokens, at + 1))
    if (token.kind !== 'name' || token.text !== 'extendsFrom') continue
    const extending = signAt(tokens, at - 1) === '.' ? wordOf(tokens[at - 2]) : blocks.at(-1)
    if (!isDevConfiguration(extending ?? '') && !OF_ARCHIVES.test(extending ?? ''))
      found.push(...namesBehind(tokens, at + 1))
  }
  return found
}

/** Returns the names up to the end of the line or statement. */
function namesBehind(tokens: readonly Token[], start: number): string[] {
  const names: string[] = []
  for (let at = start; at < tokens.length; at++) {
    if (/^[\n;}]$/.test(signAt(tokens, at))) break
    const name = wordOf(tokens[at])
    if (name !== undefined && !NO_CONFIGURATION.test(name)) names.push(name)
  }
  return names
}

/** Treats dependencies of tests and tools as the product's if it extends their configuration. */
export function countExtended({ dependencies, extended: asked }: ScriptFacts, names: readonly string[]) {
  const extended = new Set([...asked, ...names])
  for (const [at, each] of dependencies.entries()) {
    const isOfProduct = !each.isBuild && each.configuration !== undefined && extended.has(each.configuration)
    if (each.isDev && isOfProduct) dependencies[at] = { ...each, isDev: false }
  }
}

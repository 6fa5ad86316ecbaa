import { isDevConfiguration } from './configurations.ts'
import type { ScriptFacts } from './facts.ts'
import { signAt, type Token, withBlocks, wordOf } from './language/tokens.ts'

/** Configurations of build archives, which are not on a class path. */
const OF_ARCHIVES = /^(?:archives|default)$/
const NO_CONFIGURATION = /^(?:configurations|getByName|named|get|project|getAt)$/

/** Returns the configurations extended by others than those of tests and tools: `implementation.extendsFrom(docs)`. */
export function findExtended(tokens: readonly Token[]): string[] {
  const names: string[] = []
  for (const { token, at, blocks } of withBlocks(tokens)) {
    const isClassPath = signAt(tokens, at) === '+=' && /Classpath$/.test(wordOf(tokens[at - 1]) ?? '')
    if (isClassPath && !blocks.some((block) => /test/i.test(block))) names.push(...namesBehind(tokens, at + 1))
    if (token.kind !== 'name' || token.text !== 'extendsFrom') continue
    const extending = signAt(tokens, at - 1) === '.' ? wordOf(tokens[at - 2]) : blocks.at(-1)
    if (!isDevConfiguration(extending ?? '') && !OF_ARCHIVES.test(extending ?? ''))
      names.push(...namesBehind(tokens, at + 1))
  }
  return names
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
export function countExtended({ dependencies, extended: configurations }: ScriptFacts, names: readonly string[]) {
  const extended = new Set([...configurations, ...names])
  for (const [at, declared] of dependencies.entries()) {
    const isOfProduct =
      !declared.isBuild && declared.configuration !== undefined && extended.has(declared.configuration)
    if (declared.isDev && isOfProduct) dependencies[at] = { ...declared, isDev: false }
  }
}

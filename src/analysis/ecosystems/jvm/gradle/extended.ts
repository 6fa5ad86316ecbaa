import { isDevConfiguration } from './configurations.ts'
import type { Token } from './language/tokens.ts'
import type { ScriptFacts } from './facts.ts'

/** Configurations of build archives, which are not on a class path. */
const OF_ARCHIVES = /^(?:archives|default)$/
const NO_CONFIGURATION = /^(?:configurations|getByName|named|get|project|getAt)$/

/** Returns the configurations extended by others than those of tests and tools: `implementation.extendsFrom(docs)`. */
export function findExtended(tokens: readonly Token[]): string[] {
  const blocks: string[] = []
  const found: string[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'sign' && token.text === '{') blocks.push(nameOf(tokens[at - 1]))
    if (token.kind === 'sign' && token.text === '}') blocks.pop()
    const isClassPath = token.kind === 'sign' && token.text === '+=' && /Classpath$/.test(nameOf(tokens[at - 1]))
    if (isClassPath && !blocks.some((each) => /test/i.test(each))) found.push(...namesBehind(tokens, at + 1))
    if (token.kind !== 'name' || token.text !== 'extendsFrom') continue
    const before = tokens[at - 1]
    const isMember = before?.kind === 'sign' && before.text === '.'
    const extending = isMember ? nameOf(tokens[at - 2]) : (blocks.at(-1) ?? '')
    if (!isDevConfiguration(extending) && !OF_ARCHIVES.test(extending)) found.push(...namesBehind(tokens, at + 1))
  }
  return found
}

function nameOf(token: Token | undefined): string {
  if (token?.kind === 'name') return token.text
  const only = token?.kind === 'text' && token.parts.length === 1 ? token.parts[0] : undefined
  return only !== undefined && 'text' in only ? only.text : ''
}

/** Returns the names up to the end of the line or statement. */
function namesBehind(tokens: readonly Token[], start: number): string[] {
  const names: string[] = []
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.kind === 'break' || (token.kind === 'sign' && /^[;}]$/.test(token.text))) break
    const name = nameOf(token)
    if (name !== '' && !NO_CONFIGURATION.test(name)) names.push(name)
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

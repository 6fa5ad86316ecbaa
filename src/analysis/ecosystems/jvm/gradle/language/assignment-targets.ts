import type { Token } from './tokens.ts'

interface Target {
  readonly names: readonly string[]
  readonly line: number
}

/** Returns the names assigned between two tokens of an unparsed statement: `a.b =`, `(a, b) =`. */
export function findTargets(tokens: readonly Token[], start: number, end: number): Target[] {
  const found: Target[] = []
  for (let at = start; at < end; at++) {
    if (!/^(?:=|\+=|<<)$/.test(signAt(tokens, at))) continue
    const { line } = tokens[at]!
    for (const names of signAt(tokens, at - 1) === ')' ? listBefore(tokens, at) : [pathBefore(tokens, at)])
      if (names.length > 0) found.push({ names, line })
  }
  return found
}

/** Signs between the names of a list, some of them in types. */
const LIST_SIGNS = new Set([',', '.', ':', '?', '<', '>', '[', ']'])

/**
 * Stops at any token that a list of names cannot contain; otherwise a series of closing brackets takes quadratic time.
 */
function listBefore(tokens: readonly Token[], sign: number): string[][] {
  const names: string[][] = []
  for (let at = sign - 2; at >= 0; at--) {
    const token = tokens[at]!
    if (token.kind === 'name') names.push([token.text])
    else if (token.kind !== 'break' && !LIST_SIGNS.has(signAt(tokens, at))) break
  }
  return names
}

function pathBefore(tokens: readonly Token[], sign: number): string[] {
  const names: string[] = []
  for (let at = sign - 1; ; at -= 2) {
    const name = nameAt(tokens, at)
    if (name === undefined) break
    names.push(name)
    if (signAt(tokens, at - 1) !== '.') break
  }
  return names.reverse()
}

function signAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at]
  return token?.kind === 'sign' ? token.text : ''
}

function nameAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at]
  return token?.kind === 'name' ? token.text : undefined
}

import { signAt, type Token, wordOf } from './tokens.ts'

interface Target {
  readonly names: readonly string[]
  readonly line: number
}

/** Returns the names assigned between two tokens of an unparsed statement: `a.b =`. */
export function findTargets(tokens: readonly Token[], start: number, end: number): Target[] {
  const targets: Target[] = []
  for (let at = start; at < end; at++) {
    if (!/^(?:=|\+=|<<)$/.test(signAt(tokens, at))) continue
    const names = pathBefore(tokens, at)
    if (names.length > 0) targets.push({ names, line: tokens[at]!.line })
  }
  return targets
}

function pathBefore(tokens: readonly Token[], sign: number): string[] {
  const names: string[] = []
  for (let at = sign - 1; ; at -= 2) {
    const name = tokens[at]?.kind === 'name' ? wordOf(tokens[at]) : undefined
    if (name === undefined) break
    names.push(name)
    if (signAt(tokens, at - 1) !== '.') break
  }
  return names.reverse()
}

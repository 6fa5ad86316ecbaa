import { reportUnread, type ScriptContext } from './facts.ts'
import type { Token } from './language/tokens.ts'

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/**
 * Reports the place where a truncated script breaks: a block, text or comment without an end. Gradle refuses such a
 * script; everything before is read, but the rest is unknown.
 */
export function findCutOff(tokens: readonly Token[], { file, facts }: ScriptContext): void {
  const open: { readonly closing: string; readonly line: number }[] = []
  let torn: number | undefined
  for (const token of tokens) {
    if (token.kind !== 'sign') continue
    const closing = CLOSING[token.text]
    if (closing !== undefined) open.push({ closing, line: token.line })
    else if (open.at(-1)?.closing === token.text) open.pop()
    else if (/^(?:["']|\/\*)$/.test(token.text)) torn ??= token.line
  }
  const line = torn ?? open.at(-1)?.line
  if (line === undefined) return
  const reason = 'A bracket, quote or comment that begins in this line is not closed. Send the whole script'
  reportUnread(facts, { name: 'build script', reason, place: { file, line } })
}

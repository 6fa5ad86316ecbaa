import type { Token } from './language/tokens.ts'
import type { ScriptContext } from './script.ts'

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
  const reason = 'What begins in this line never ends: the script is cut off, or a bracket or a quote is missing'
  facts.unread.push({
    name: 'build script',
    range: '',
    code: 'not-static',
    reason,
    place: { file, line },
    isDev: false,
  })
}

import { createLines, type Declaration } from '#analysis/ecosystems/declaration.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'

/** Finds the modules of a lockfile without its build script. For scripts, the reader sets the lines in the graph. */
export function locateLocked({ target, additional }: Manifest): Declaration[] {
  return [target, ...additional].flatMap((text, at) => {
    const lineOf = createLines(text)
    const file = at === 0 ? ('target' as const) : at - 1
    return [...text.matchAll(/^[ \t]*([^\s:#=]+:[^\s:=]+):([^\s:=]+)=/gm)].map(({ 1: name, 2: version, index }) => ({
      name: name!,
      version: version!,
      file,
      fileName: 'gradle.lockfile',
      line: lineOf(index),
    }))
  })
}

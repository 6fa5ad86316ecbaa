import { createLines, type Declaration } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'

const FROZEN = /(?:^|[\s,.:])([\dA-Za-z][\w-]*) +==(\d[\d.]*)/g
const STACK = /^[ \t]*(?:-|hackage:)[ \t]+([\dA-Za-z][\w-]{0,200}?)-(\d[\d.]*)(?=[@ \r\n]|$)/gm

/** Finds the packages of the files of Cabal and Stack. */
export function locatePackages({ target, additional }: Manifest): Declaration[] {
  return [target, ...additional].flatMap((text, at) => {
    const lineOf = createLines(text)
    const file = at === 0 ? ('target' as const) : at - 1
    const pattern = /^constraints:/m.test(text) ? FROZEN : STACK
    return [...text.matchAll(pattern)].map((match) => ({
      name: match[1]!,
      version: match[2]!,
      file,
      line: lineOf(match.index + match[0].lastIndexOf(match[1]!)),
    }))
  })
}

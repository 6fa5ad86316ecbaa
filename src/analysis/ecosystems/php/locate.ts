import { membersOf, textOfMember } from '#analysis/documents/json-members.ts'
import { createLines, type Declaration } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'

/** Finds the dependencies of composer.json, and after them the entries of composer.lock. */
export function locatePackages({ target, additional }: Manifest): Declaration[] {
  const files = [target, ...additional].map((text, at) => ({ text, file: at === 0 ? ('target' as const) : at - 1 }))
  return [
    ...files.flatMap(({ text, file }) => locateInManifest(text, file)),
    ...files.flatMap(({ text, file }) => locateInLock(text, file)),
  ]
}

function locateInManifest(text: string, file: Declaration['file']): Declaration[] {
  const lineOf = createLines(text)
  return ['require', 'require-dev']
    .flatMap((key) => membersOf(text, [key]))
    .map((member) => {
      const range = textOfMember(text, member)
      const name = member.key.toLowerCase()
      return { name, file, fileName: 'composer.json', line: lineOf(member.at), ...(range !== undefined && { range }) }
    })
}

/** Composer writes name and version first. */
const ENTRY = /\{\s{0,40}"name": "([^"\n]+)",\s{1,40}"version": "([^"\n]+)"/g

function locateInLock(text: string, file: Declaration['file']): Declaration[] {
  const lineOf = createLines(text)
  return [...text.matchAll(ENTRY)].map((match) => ({
    name: match[1]!.toLowerCase(),
    version: match[2]!,
    file,
    fileName: 'composer.lock',
    line: lineOf(match.index + match[0].indexOf('"name"')),
  }))
}

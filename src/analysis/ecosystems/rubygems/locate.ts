import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { linesOf } from '#analysis/documents/text-lines.ts'
import type { Declaration } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'
import { parseGemfile, parseGemspec } from './gemfile.ts'

/** Finds the gems of Gemfile and gemspec and, after them, the dependencies that Gemfile.lock lists. */
export function locateGems(manifest: Manifest): Declaration[] {
  const files = identifyFiles('rubygems', manifest)
  const inKind = (kind: string, read: (text: string, file: Declaration['file']) => { name: string; line: number }[]) =>
    files
      .filter((file) => file.kind === kind)
      .flatMap(({ text, file }) => read(text, file).map(({ name, line }) => ({ name, line, file, fileName: kind })))
  return [
    ...inKind('Gemfile', (text, file) => parseGemfile(text, file).gems.filter(({ isNamed }) => isNamed)),
    ...inKind('gemspec', (text, file) => parseGemspec(text, file).filter(({ isNamed }) => isNamed)),
    ...inKind('Gemfile.lock', locateInLock),
  ]
}

function locateInLock(text: string, file: Declaration['file']): { name: string; line: number }[] {
  let isDirect = false
  return linesOf(text, file).flatMap((line, index) => {
    if (/^\S/.test(line)) isDirect = /^DEPENDENCIES\s*$/.test(line)
    const name = isDirect ? /^ {2}([^\s(!]+)/.exec(line)?.[1] : undefined
    return name === undefined ? [] : [{ name, line: index + 1 }]
  })
}

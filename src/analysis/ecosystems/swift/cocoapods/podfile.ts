import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { linesOf } from '#analysis/documents/text-lines.ts'
import type { Declaration } from '../../declaration.ts'
import type { Manifest } from '../../ecosystem.ts'

export interface DeclaredPod {
  readonly name: string
  readonly range: string
  readonly line: number
}

const POD = /^\s*pod[\s(]\s*(["'])([^"'/\s]+)(?:\/[^"'\s]+)?\1\s*(?:,\s*(["'])([^"']*)\3)?/
const LOCKED = /^ {2}- "?([^\s/("]+)/

/** Finds the literal pods of a Podfile. */
export function parsePodfile(text: string, file: 'target' | number): DeclaredPod[] {
  return linesOf(text, file).flatMap((line, at) => {
    const [match, , name = '', , range = ''] = POD.exec(line) ?? []
    return match === undefined ? [] : [{ name, range, line: at + 1 }]
  })
}

/** Finds the pods of the Podfile and, after them, the dependencies that Podfile.lock lists. */
export function locatePods(manifest: Manifest): Declaration[] {
  const files = identifyFiles('cocoapods', manifest)
  const inKind = (kind: string, read: typeof parsePodfile) =>
    files
      .filter((file) => file.kind === kind)
      .flatMap(({ text, file }) => read(text, file).map(({ name, line }) => ({ name, line, file, fileName: kind })))
  return [...inKind('Podfile', parsePodfile), ...inKind('Podfile.lock', locateInLock)]
}

function locateInLock(text: string, file: 'target' | number): DeclaredPod[] {
  let isDirect = false
  return linesOf(text, file).flatMap((line, at) => {
    if (/^\S/.test(line)) isDirect = /^DEPENDENCIES:/.test(line)
    const name = isDirect ? LOCKED.exec(line)?.[1] : undefined
    return name === undefined ? [] : [{ name, range: '', line: at + 1 }]
  })
}

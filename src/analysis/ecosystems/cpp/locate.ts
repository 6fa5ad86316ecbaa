import { createLines, type Declaration } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'
import { parseConanfile } from './conanfile.ts'

/** Finds the requirements of conanfile.txt, and after them the references of conan.lock. */
export function locateReferences({ target, additional }: Manifest): Declaration[] {
  const files = [target, ...additional].map((text, at) => ({ text, file: at === 0 ? ('target' as const) : at - 1 }))
  const isLock = ({ text }: { readonly text: string }) => /^\ufeff?\s*\{/.test(text)
  return [
    ...files.filter((file) => !isLock(file)).flatMap(({ text, file }) => locateInConanfile(text, file)),
    ...files.filter(isLock).flatMap(({ text, file }) => locateInLock(text, file)),
  ]
}

function locateInConanfile(text: string, file: Declaration['file']): Declaration[] {
  const lines = text.split('\n')
  const starts = [0]
  for (const line of lines) starts.push(starts.at(-1)! + line.length + 1)
  return parseConanfile(text, file).flatMap(({ reference, line }) => {
    if (reference === undefined) return []
    const { name, range } = reference
    const at = lines[line - 1]!.indexOf(range, lines[line - 1]!.indexOf('/'))
    const start = starts[line - 1]! + at
    const place = { text: range, start, end: start + range.length }
    return [{ name, file, fileName: 'conanfile.txt', line, ...(at >= 0 && range !== '' && { range: place }) }]
  })
}

const REFERENCE = /"([\w+.-]{1,101})\/([^"#%@\n]{1,101})[#%@"]/g

function locateInLock(text: string, file: Declaration['file']): Declaration[] {
  const lineOf = createLines(text)
  return [...text.matchAll(REFERENCE)].map(({ 1: name, 2: version, index }) => ({
    name: name!,
    version: version!,
    file,
    fileName: 'conan.lock',
    line: lineOf(index),
  }))
}

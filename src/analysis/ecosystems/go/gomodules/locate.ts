import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Declaration } from '#analysis/ecosystems/declaration.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { parseModFile } from './mod-file.ts'

type File = Declaration['file']

/** Finds the modules that go.mod files require, and after them the lines of modules.txt. */
export function locateModules({ target, additional }: Manifest): Declaration[] {
  const files = [target, ...additional].map((text, at) => ({ text, file: at === 0 ? ('target' as const) : at - 1 }))
  const isVendored = ({ text }: { readonly text: string }) => /^# \S+ v\S/m.test(text)
  return [
    ...files.filter((file) => !isVendored(file)).flatMap(({ text, file }) => locateInModFile(text, file)),
    ...files.filter(isVendored).flatMap(({ text, file }) => locateInModulesTxt(text, file)),
  ]
}

/** Returns nothing for a go.sum. */
function locateInModFile(text: string, file: File): Declaration[] {
  try {
    const { requires, replaces } = parseModFile(text, file)
    const fileName = /^[ \t]*module\b/m.test(text) ? 'go.mod' : 'go.work'
    const lines = new Map(requires.map(({ path, line }) => [path, line]))
    return [
      ...requires.map(({ path, line }) => ({ name: path, file, fileName, line })),
      ...replaces.map(({ path, by, line }) => ({ name: by.path, file, fileName, line: lines.get(path) ?? line })),
    ]
  } catch (error) {
    if (error instanceof Unreadable) return []
    throw error
  }
}

function locateInModulesTxt(text: string, file: File): Declaration[] {
  return text.split('\n').flatMap((line, index): Declaration[] => {
    const [, name, version] = /^# (\S+) (v\S+)/.exec(line) ?? []
    return name === undefined || version === undefined
      ? []
      : [{ name, version, file, fileName: 'modules.txt', line: index + 1 }]
  })
}

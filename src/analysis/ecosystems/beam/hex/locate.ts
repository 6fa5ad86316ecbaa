import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { linesOf } from '#analysis/documents/text-lines.ts'
import type { Declaration } from '../../declaration.ts'
import type { Manifest } from '../../ecosystem.ts'
import { parseMixExs, parseRebarConfig } from './declarations.ts'

const ENTRY: Readonly<Record<string, RegExp>> = {
  'mix.lock': /^\s*"([\w.-]+)": /,
  'rebar.lock': /^\s*\[?\{<<"([\w.-]+)">>,\{/,
}

/** Finds the declarations of mix.exs and rebar.config files and, after them, the entries of the lockfile. */
export function locateHex(manifest: Manifest): Declaration[] {
  const files = identifyFiles('hex', manifest)
  const manifests = files.filter(({ kind }) => kind === 'mix.exs' || kind === 'rebar.config')
  const declared = manifests.flatMap(({ text, file, kind }) => {
    const { dependencies } = kind === 'mix.exs' ? parseMixExs(text) : parseRebarConfig(text)
    return dependencies.map(({ name, line, written }): Declaration => {
      return { name, file, fileName: kind, line, ...(written && { range: written }) }
    })
  })
  const locked = files.flatMap(({ text, file, kind }) => {
    const entry = ENTRY[kind]
    return linesOf(entry === undefined ? '' : text, file).flatMap((line, at): Declaration[] => {
      const name = entry?.exec(line)?.[1]
      return name === undefined ? [] : [{ name, file, fileName: kind, line: at + 1 }]
    })
  })
  return [...declared, ...locked]
}

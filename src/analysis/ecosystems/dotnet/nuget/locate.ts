import { parseXml } from '#analysis/documents/xml.ts'
import type { Declaration } from '../../declaration.ts'
import type { Manifest } from '../../ecosystem.ts'
import { metadataOf, type Written } from './msbuild.ts'
import { evaluatePackages } from './package-items.ts'
import { parsePackagesConfig } from './packages-config.ts'
import { sortFiles } from './project-files.ts'

/** Finds the versions of packages in project files, the files that they import, and packages.config. */
export function locatePackages(manifest: Manifest): Declaration[] {
  const { projects, configs, lock, assets, nameOf } = sortFiles(manifest)
  const spelled = spellingsOf(lock?.text ?? assets?.text ?? '')
  const toName = (name: string) => spelled.get(name.toLowerCase()) ?? name
  const toDeclaration = (
    name: string,
    file: Declaration['file'],
    place: { line: number; range: Declaration['range'] },
  ) => ({
    name,
    file,
    line: place.line,
    fileName: nameOf(file),
    ...(place.range !== undefined && { range: place.range }),
  })
  const declared = projects.flatMap((project) =>
    [...evaluatePackages(project).frameworks.values()].flat().map(({ name, written, item }) => {
      const range = written === undefined ? undefined : toRange(written)
      return toDeclaration(toName(name), written?.file.file ?? item.file.file, {
        line: written?.line ?? item.line,
        range,
      })
    }),
  )
  const listed = configs.flatMap(({ file, text }) =>
    parsePackagesConfig(parseXml({ file, text }), file).map(({ name, version, element }) => {
      // NuGet itself changes the paths in the project file.
      const isReferenced = projects.some(({ project }) => project.text.includes(`\\${name}.${version}\\`))
      const written = metadataOf(element, 'version', { file, text, path: undefined, root: element })
      return toDeclaration(toName(name), file, {
        line: element.line,
        range: written === undefined || isReferenced ? undefined : toRange(written),
      })
    }),
  )
  const all = [...declared, ...listed]
  return [...new Map(all.map((one) => [`${one.name}\n${one.file}\n${one.range?.start ?? one.line}`, one])).values()]
}

function toRange({ text, start, end }: Written): Declaration['range'] {
  return text.includes('$(') ? undefined : { text, start, end }
}

/** Returns the lock's spellings of names, by name in lower case. */
function spellingsOf(lock: string): Map<string, string> {
  const keys = [...lock.matchAll(/"([\w.-]+)(?:\/[^"]*)?"\s*:\s*\{/g)]
  return new Map(keys.map(([, name]) => [name!.toLowerCase(), name!]))
}

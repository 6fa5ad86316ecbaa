import { Unreadable } from '#analysis/documents/unreadable.ts'
import { attributeOf, type XmlElement, type XmlSource } from '#analysis/documents/xml.ts'

/** A package of a packages.config, which lists all that are installed. */
export interface ConfigPackage {
  readonly name: string
  readonly version: string
  readonly allowed: string
  readonly isDev: boolean
  readonly element: XmlElement
}

export function parsePackagesConfig(root: XmlElement, file: XmlSource['file']): ConfigPackage[] {
  return root.children
    .filter(({ name }) => name === 'package')
    .map((element) => ({
      name: idOf(element, file),
      version: attributeOf(element, 'version') ?? '',
      allowed: attributeOf(element, 'allowedVersions') ?? '',
      isDev: attributeOf(element, 'developmentDependency')?.toLowerCase() === 'true',
      element,
    }))
}

function idOf(element: XmlElement, file: XmlSource['file']): string {
  const id = attributeOf(element, 'id')?.trim() ?? ''
  if (id === '') throw new Unreadable('A package has no id', { file, line: element.line })
  return id
}

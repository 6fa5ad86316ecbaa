import type { IdentifiedFile } from '#analysis/discovery/file-kinds/identify-files.ts'
import type { JsonObject } from '#analysis/documents/json-document.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { attributeOf, type XmlElement } from '#analysis/documents/xml.ts'

const NAMESPACE = /\bxmlns(?::\w+)?\s*=\s*["']http:\/\/cyclonedx\.org\/schema\/bom\/(\d+\.\d+)["']/

/**
 * Reads CycloneDX XML into the form of its JSON, as far as it is read here. Refuses document types: no bill of materials
 * needs entities.
 */
export function readCycloneDxXml({ text, xml }: Pick<IdentifiedFile, 'text' | 'xml'>): JsonObject {
  if (/<!DOCTYPE/i.test(text)) throw new Unreadable('The file has a document type, which is not read')
  const bom = xml()
  const [, specVersion] = NAMESPACE.exec(bom.tag) ?? []
  if (!isNamed(bom, 'bom') || specVersion === undefined) {
    throw new Unreadable('The root element is not <bom> in a namespace of CycloneDX', { line: bom.line })
  }
  const component = childNamed(childNamed(bom, 'metadata'), 'component')
  return {
    specVersion,
    metadata: {
      ...(component !== undefined && { component: toComponent(component) }),
      tools: referencesWithin(childNamed(childNamed(bom, 'metadata'), 'tools')),
    },
    components: componentsOf(bom),
    services: listIn(bom, 'services', 'service').map(toComponent),
    formulation: listIn(bom, 'formulation', 'formula').map((element) => ({
      components: componentsOf(element),
      others: referencesWithin(element),
    })),
    declarations: ['declarations', 'definitions'].map((name) => referencesWithin(childNamed(bom, name))),
    externalReferences: referencesOf(bom),
    dependencies: listIn(bom, 'dependencies', 'dependency').map((element) => ({
      ref: attributeOf(element, 'ref'),
      dependsOn: childrenOf(element, 'dependency').map((to) => attributeOf(to, 'ref')),
    })),
    compositions: listIn(bom, 'compositions', 'composition').map((element) => ({
      aggregate: childNamed(element, 'aggregate')?.text,
      assemblies: listIn(element, 'assemblies', 'assembly').map((to) => attributeOf(to, 'ref')),
      dependencies: listIn(element, 'dependencies', 'dependency').map((to) => attributeOf(to, 'ref')),
    })),
  }
}

/** Returns everything below an element that can be referred to. */
function referencesWithin(element: XmlElement | undefined): JsonObject[] {
  return (element?.children ?? []).flatMap((child) => {
    const ref = attributeOf(child, 'bom-ref')
    return [...(ref === undefined ? [] : [{ 'bom-ref': ref }]), ...referencesWithin(child)]
  })
}

function componentsOf(element: XmlElement): JsonObject[] {
  return listIn(element, 'components', 'component').map(toComponent)
}

/** The parts of a component that are read here; undefined without one. All have one shape, which engines read sooner. */
interface Component {
  readonly type: string | undefined
  readonly 'bom-ref': string | undefined
  group: string | undefined
  name: string | undefined
  version: string | undefined
  purl: string | undefined
  licenses: JsonObject[] | undefined
  components: JsonObject[] | undefined
  services: JsonObject[] | undefined
  pedigree: JsonObject | undefined
  externalReferences: JsonObject[] | undefined
}

function toComponent(element: XmlElement): JsonObject {
  const component: Component = {
    type: attributeOf(element, 'type'),
    'bom-ref': attributeOf(element, 'bom-ref'),
    group: undefined,
    name: undefined,
    version: undefined,
    purl: undefined,
    licenses: undefined,
    components: undefined,
    services: undefined,
    pedigree: undefined,
    externalReferences: undefined,
  }
  for (const child of element.children) addPart(component, child, element)
  return component as unknown as JsonObject
}

/** The first of several texts or lists of licenses counts; of other lists, all. */
function addPart(component: Component, child: XmlElement, element: XmlElement): void {
  const name = localName(child)
  if (name === 'group' || name === 'name' || name === 'version' || name === 'purl') component[name] ??= child.text
  else if (name === 'licenses') component.licenses ??= child.children.map(toLicense)
  else if (name === 'components') component.components ??= componentsOf(element)
  else if (name === 'services') component.services ??= listIn(element, 'services', 'service').map(toComponent)
  else if (name === 'externalReferences') component.externalReferences ??= referencesOf(element)
  else if (name === 'pedigree') {
    component.pedigree ??= {
      ancestors: childrenOf(element, 'pedigree').flatMap((element) =>
        listIn(element, 'ancestors', 'component').map(toComponent),
      ),
    }
  }
}

function toLicense(choice: XmlElement): JsonObject {
  if (isNamed(choice, 'expression')) return { expression: choice.text }
  return { license: { id: childNamed(choice, 'id')?.text, name: childNamed(choice, 'name')?.text } }
}

function referencesOf(element: XmlElement): JsonObject[] {
  return listIn(element, 'externalReferences', 'reference').map((element) => ({
    type: attributeOf(element, 'type'),
    url: childNamed(element, 'url')?.text,
  }))
}

/** Returns the name of an element without its prefix: some tools write one. */
function localName({ name }: XmlElement): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

function isNamed(element: XmlElement, name: string): boolean {
  return element.name === name || (element.name.length > name.length && localName(element) === name)
}

function childNamed(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => isNamed(child, name))
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => isNamed(child, name))
}

/** Returns the members of all lists of that name. */
function listIn(element: XmlElement, list: string, name: string): XmlElement[] {
  const [first, ...others] = childrenOf(element, list)
  if (first === undefined) return []
  return others.length === 0
    ? childrenOf(first, name)
    : [first, ...others].flatMap((parent) => childrenOf(parent, name))
}

import type { IdentifiedFile } from '../../file-kinds/identify-files.ts'
import { Unreadable } from '../ecosystem.ts'
import { attributeOf, type XmlElement } from '../maven/xml.ts'
import type { JsonObject } from '../npm/json-document.ts'

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
    formulation: listIn(bom, 'formulation', 'formula').map((each) => ({
      components: componentsOf(each),
      others: referencesWithin(each),
    })),
    declarations: ['declarations', 'definitions'].map((name) => referencesWithin(childNamed(bom, name))),
    externalReferences: referencesOf(bom),
    dependencies: listIn(bom, 'dependencies', 'dependency').map((each) => ({
      ref: attributeOf(each, 'ref'),
      dependsOn: childrenOf(each, 'dependency').map((to) => attributeOf(to, 'ref')),
    })),
    compositions: listIn(bom, 'compositions', 'composition').map((each) => ({
      aggregate: childNamed(each, 'aggregate')?.text,
      assemblies: listIn(each, 'assemblies', 'assembly').map((to) => attributeOf(to, 'ref')),
      dependencies: listIn(each, 'dependencies', 'dependency').map((to) => attributeOf(to, 'ref')),
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

function toComponent(element: XmlElement): JsonObject {
  const text = (name: string) => childNamed(element, name)?.text
  return {
    type: attributeOf(element, 'type'),
    'bom-ref': attributeOf(element, 'bom-ref'),
    group: text('group'),
    name: text('name'),
    version: text('version'),
    purl: text('purl'),
    licenses: childNamed(element, 'licenses')?.children.map((choice) =>
      isNamed(choice, 'expression')
        ? { expression: choice.text }
        : { license: { id: childNamed(choice, 'id')?.text, name: childNamed(choice, 'name')?.text } },
    ),
    components: componentsOf(element),
    services: listIn(element, 'services', 'service').map(toComponent),
    pedigree: {
      ancestors: childrenOf(element, 'pedigree').flatMap((each) =>
        listIn(each, 'ancestors', 'component').map(toComponent),
      ),
    },
    externalReferences: referencesOf(element),
  }
}

function referencesOf(element: XmlElement): JsonObject[] {
  return listIn(element, 'externalReferences', 'reference').map((each) => ({
    type: attributeOf(each, 'type'),
    url: childNamed(each, 'url')?.text,
  }))
}

/** Returns true for an element of that name, with or without a prefix: some tools write one. */
function isNamed({ name }: XmlElement, wanted: string): boolean {
  if (name === wanted) return true
  const prefix = name.length - wanted.length - 1
  return prefix >= 0 && name.endsWith(wanted) && name.indexOf(':') === prefix
}

function childNamed(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => isNamed(child, name))
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => isNamed(child, name))
}

/** Returns the members of all lists of that name. */
function listIn(element: XmlElement, list: string, name: string): XmlElement[] {
  return childrenOf(element, list).flatMap((each) => childrenOf(each, name))
}

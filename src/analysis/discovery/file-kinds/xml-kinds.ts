import { textOf, type XmlElement } from '#analysis/documents/xml.ts'
import { type FileKind, SEND_GRAPH } from './file-kind.ts'
import { hasChild } from './outline.ts'

type XmlKind = Omit<FileKind, 'detect'> & {
  is(root: XmlElement, tag: string): boolean
}

const SEND_POM = 'Send the pom.xml of the project to /v1/test/maven.'

/** XML files by root element, most specific first. */
const kinds: readonly XmlKind[] = [
  {
    id: 'maven-1',
    label: 'a project.xml of Maven 1',
    instead: SEND_GRAPH,
    is: (root) => root.name === 'project' && hasChild(root, 'pomVersion', 'currentVersion'),
  },
  { id: 'pom.xml', label: 'a pom.xml (Maven)', names: /^pom\.xml$|\.pom$/, is: isPom },
  {
    id: 'effective-poms',
    label: 'a list of effective POMs',
    instead: 'Send each <project> of it as a file of its own to /v1/test/maven.',
    is: (root) => root.name === 'projects',
  },
  {
    id: 'build.xml',
    label: 'a build.xml of Ant',
    instead:
      'Gatehouse does not read Ant. Send the pom.xml to /v1/test/maven, or a resolved graph to /v1/test/dep-graph.',
    is: (root, tag) =>
      root.name === 'project' &&
      (hasChild(root, 'target', 'taskdef', 'import', 'property', 'tstamp') || /\s(?:default|basedir)\s*=/.test(tag)),
  },
  {
    id: 'nuspec',
    label: 'a .nuspec file (NuGet)',
    instead: SEND_GRAPH,
    is: (root) => root.name === 'package' && hasChild(root, 'metadata'),
  },
  {
    id: 'ivy.xml',
    label: 'an ivy.xml (Ivy)',
    instead: SEND_GRAPH,
    is: ({ name }) => name === 'ivy-module',
  },
  {
    id: 'settings.xml',
    label: 'a settings.xml of Maven',
    instead: `It declares no dependencies. ${SEND_POM}`,
    is: ({ name }) => name === 'settings',
  },
  {
    id: 'extensions.xml',
    label: 'an extensions.xml of Maven',
    names: /^extensions\.xml$/,
    is: ({ name }) => name === 'extensions',
  },
  {
    id: 'maven-metadata.xml',
    label: 'what a Maven repository says of an artifact (maven-metadata.xml)',
    instead: 'Test one of its versions with GET /v1/test/maven/{groupId}/{artifactId}/{version}.',
    is: (root) =>
      root.name === 'metadata' && (hasChild(root, 'versioning') || textOf(root, 'artifactId') !== undefined),
  },
  {
    id: 'cyclonedx-xml',
    label: 'a CycloneDX bill of materials',
    names: /^bom\.xml$|\.cdx\.xml$/,
    is: ({ name }, tag) => name === 'bom' || /cyclonedx\.org/.test(tag),
  },
  {
    id: 'spdx-xml',
    label: 'an SPDX bill of materials',
    instead: 'Send the bill of materials as JSON or in the tag-value form to /v1/test/sbom.',
    is: ({ name }, tag) => name === 'rdf:RDF' && /spdx/.test(tag),
  },
]

export const xmlKinds: readonly FileKind[] = [
  {
    id: 'html',
    label: 'an HTML page',
    instead: 'Download the raw file and send its text.',
    detect: ({ form, head }) =>
      form === 'xml' && /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(head),
  },
  ...kinds.map(({ is, ...kind }) => ({
    ...kind,
    detect: ({ form, xml, rootTag }: Parameters<FileKind['detect']>[0]) => {
      const root = form === 'xml' ? xml() : undefined
      return root !== undefined && is(root, rootTag())
    },
  })),
]

/** Elements of which every POM has some (Maven's POM reference); projects of Ant and other tools have none. */
const POM_ELEMENTS = [
  'modelVersion',
  'groupId',
  'artifactId',
  'parent',
  'packaging',
  'dependencies',
  'dependencyManagement',
  'modules',
  'subprojects',
  'build',
  'profiles',
]

function isPom(root: XmlElement, tag: string): boolean {
  if (root.name !== 'project') return false
  if (hasChild(root, 'target') && !hasChild(root, 'modelVersion', 'artifactId')) return false
  return hasChild(root, ...POM_ELEMENTS) || /maven\.apache\.org\/POM\//.test(tag)
}

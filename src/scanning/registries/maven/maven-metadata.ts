import { Unreadable } from '#analysis/documents/unreadable.ts'
import { childOf, listOf, parseXml, textOf, type XmlElement } from '#analysis/documents/xml.ts'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenVersions } from '#analysis/registries/maven.ts'

/** Parses the `maven-metadata.xml` that lists the versions of an artifact (repository metadata model 1.1). */
export function parseArtifactMetadata(document: Buffer): MavenVersions {
  const versioning = childOf(parse(document), 'versioning')
  const latest = textOf(versioning, 'latest')
  const release = textOf(versioning, 'release')
  return {
    versions: listOf(versioning, 'versions', 'version').flatMap(({ text }) => (text === '' ? [] : [text])),
    ...(latest === undefined ? {} : { latest }),
    ...(release === undefined ? {} : { release }),
  }
}

/**
 * Parses the `maven-metadata.xml` of a SNAPSHOT version, which names its newest POM if file names contain a timestamp.
 */
export function parseSnapshotVersion(document: Buffer): { version?: string } {
  const root = parse(document)
  const versioning = childOf(root, 'versioning')
  const ofPom = listOf(versioning, 'snapshotVersions', 'snapshotVersion').find(
    (element) => textOf(element, 'extension') === 'pom' && textOf(element, 'classifier') === undefined,
  )
  const version = textOf(ofPom, 'value') ?? fromTimestamp(root, childOf(versioning, 'snapshot'))
  return version === undefined ? {} : { version }
}

/** Returns the version that older repositories describe by a timestamp and a build number. */
function fromTimestamp(root: XmlElement, snapshot: XmlElement | undefined): string | undefined {
  const [timestamp, build] = [textOf(snapshot, 'timestamp'), textOf(snapshot, 'buildNumber')]
  if (timestamp === undefined || build === undefined) return undefined
  return textOf(root, 'version')?.replace(/SNAPSHOT$/, `${timestamp}-${build}`)
}

function parse(document: Buffer): XmlElement {
  try {
    const root = parseXml({ file: 'target', text: document.toString('utf8') })
    if (root.name === 'metadata') return root
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  throw new RegistryUnreachable('the repository sent something else than metadata of versions')
}

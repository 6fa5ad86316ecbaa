/** What a dependency's type means for the file it asks for (Maven's default artifact handlers). */
interface ArtifactType {
  readonly extension: string
  readonly classifier?: string
  /** Brings what it needs with it, so that nothing below it is collected. */
  readonly isFat?: true
}

const types: ReadonlyMap<string, ArtifactType> = new Map([
  ['ejb', { extension: 'jar' }],
  ['ejb-client', { extension: 'jar', classifier: 'client' }],
  ['maven-plugin', { extension: 'jar' }],
  ['test-jar', { extension: 'jar', classifier: 'tests' }],
  ['javadoc', { extension: 'jar', classifier: 'javadoc' }],
  ['java-source', { extension: 'jar', classifier: 'sources' }],
  ['war', { extension: 'war', isFat: true }],
  ['ear', { extension: 'ear', isFat: true }],
  ['rar', { extension: 'rar', isFat: true }],
  ['par', { extension: 'par', isFat: true }],
])

interface Typed {
  readonly group: string
  readonly artifact: string
  readonly type: string
  readonly classifier: string | undefined
}

/** Dependencies of equal key are one artifact in different versions. */
export function artifactKey({ group, artifact, type, classifier }: Typed): string {
  const { extension, classifier: implied } = types.get(type) ?? { extension: type }
  return `${group}:${artifact}:${extension}:${classifier ?? implied ?? ''}`
}

export function isFat(type: string): boolean {
  return types.get(type)?.isFat === true
}

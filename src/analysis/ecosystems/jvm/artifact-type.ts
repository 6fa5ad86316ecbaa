/** The file that a dependency's type stands for (Maven's default artifact handlers). */
interface ArtifactType {
  readonly extension: string
  readonly classifier?: string
  /** True if the file contains its dependencies, so that nothing below it is collected. */
  readonly containsDependencies?: true
}

const types: ReadonlyMap<string, ArtifactType> = new Map([
  ['ejb', { extension: 'jar' }],
  ['ejb-client', { extension: 'jar', classifier: 'client' }],
  ['maven-plugin', { extension: 'jar' }],
  ['test-jar', { extension: 'jar', classifier: 'tests' }],
  ['javadoc', { extension: 'jar', classifier: 'javadoc' }],
  ['java-source', { extension: 'jar', classifier: 'sources' }],
  ['war', { extension: 'war', containsDependencies: true }],
  ['ear', { extension: 'ear', containsDependencies: true }],
  ['rar', { extension: 'rar', containsDependencies: true }],
  ['par', { extension: 'par', containsDependencies: true }],
])

interface Typed {
  readonly group: string
  readonly artifact: string
  readonly type: string
  readonly classifier: string | undefined
}

/** Returns the key of a dependency; equal keys are versions of one artifact. */
export function artifactKey({ group, artifact, type, classifier }: Typed): string {
  const { extension, classifier: implied } = types.get(type) ?? { extension: type }
  return `${group}:${artifact}:${extension}:${classifier ?? implied ?? ''}`
}

export function containsDependencies(type: string): boolean {
  return types.get(type)?.containsDependencies === true
}

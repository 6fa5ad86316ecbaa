import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { mavenVersions } from '#analysis/versions/maven.ts'

export const maven: Ecosystem = {
  id: 'maven',
  label: 'Maven',
  language: 'java',
  packageManager: 'maven',
  registry: 'Maven',
  versions: mavenVersions,
  manifestName: /^pom\.xml$/,
  fixAdvice: 'upgrade',
  takesRepositories: true,
  coordinates: {
    parameters: ['groupId', 'artifactId'],
    toName: ({ groupId, artifactId }) => `${groupId}:${artifactId}`,
  },
  async read(manifest, { maven: reader }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, reader, options)
  },
  async readPackage(coordinates, { maven: reader }, options) {
    const { readPackage } = await import('../package.ts')
    return readPackage(coordinates, reader, options)
  },
  async whatIfResolver(manifest, { maven: reader }, options) {
    const { whatIfResolver } = await import('./upgrades.ts')
    return whatIfResolver(manifest, reader, options)
  },
}

import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { mavenVersions } from '#analysis/versions/maven.ts'

export const sbt: Ecosystem = {
  id: 'sbt',
  label: 'sbt',
  language: 'java',
  packageManager: 'maven',
  registry: 'Maven',
  versions: mavenVersions,
  manifestName: /^build\.sbt$/,
  fixAdvice: 'upgrade',
  noEdits: 'build.sbt is not changed; write the version there',
  takesRepositories: true,
  coordinates: {
    parameters: ['groupId', 'artifactId'],
    toName: ({ groupId, artifactId }) => `${groupId}:${artifactId}`,
    packageManager: 'maven',
  },
  async read(manifest, { maven: reader }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, reader, options)
  },
  async readPackage(coordinates, { maven: reader }, options) {
    const { readPackage } = await import('../package.ts')
    return readPackage(coordinates, reader, options)
  },
  async locate(manifest) {
    const { locateScalaModules } = await import('./locate.ts')
    return locateScalaModules(manifest)
  },
  async whatIfResolver(manifest, { maven: reader }, options) {
    const { whatIfResolver } = await import('./upgrades.ts')
    return whatIfResolver(manifest, reader, options)
  },
}

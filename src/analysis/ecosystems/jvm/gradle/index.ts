import type { Ecosystem } from '#analysis/ecosystems/ecosystem.ts'
import { mavenVersions } from '#analysis/versions/maven.ts'

export const gradle: Ecosystem = {
  id: 'gradle',
  label: 'Gradle',
  language: 'java',
  packageManager: 'maven',
  registry: 'Maven',
  versions: mavenVersions,
  manifestName: /^build\.gradle(?:\.kts)?$/,
  fixAdvice: 'upgrade',
  takesRepositories: true,
  coordinates: {
    parameters: ['group', 'name'],
    toName: ({ group, name }) => `${group}:${name}`,
    packageManager: 'maven',
  },
  async read(manifest, { maven: reader }, options) {
    const { readProject } = await import('./project.ts')
    return readProject(manifest, reader, options)
  },
  async readPackage(coordinates, { maven: reader }, options) {
    const { readPackage } = await import('./package.ts')
    return readPackage(coordinates, reader, options)
  },
  async locate(manifest) {
    const { locateLocked } = await import('./locate.ts')
    return locateLocked(manifest)
  },
  async whatIfResolver(manifest, { maven: reader }, options) {
    const { whatIfResolver } = await import('./upgrades.ts')
    return whatIfResolver(manifest, reader, options)
  },
}

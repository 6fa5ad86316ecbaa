import { mavenVersions } from '#analysis/versions/maven.ts'
import type { Ecosystem } from '../ecosystem.ts'
import { readPackage } from './package.ts'
import { readProject } from './project.ts'
import { upgradeTrials } from './upgrades.ts'

export const maven: Ecosystem = {
  id: 'maven',
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
  read: (manifest, { maven: reader }, options) => readProject(manifest, reader, options),
  upgradeTrials: (manifest, { maven: reader }, options) => upgradeTrials(manifest, reader, options),
  readPackage: (coordinates, { maven: reader }, options) => readPackage(coordinates, reader, options),
}

import { mavenVersions } from '#analysis/versions/maven.ts'
import type { Ecosystem } from '../ecosystem.ts'
import { readPackage } from '../maven/package.ts'
import { readProject } from './project.ts'
import { upgradeTrials } from './upgrades.ts'

export const sbt: Ecosystem = {
  id: 'sbt',
  language: 'java',
  packageManager: 'maven',
  registry: 'Maven',
  versions: mavenVersions,
  manifestName: /^build\.sbt$/,
  fixAdvice: 'upgrade',
  takesRepositories: true,
  coordinates: {
    parameters: ['groupId', 'artifactId'],
    toName: ({ groupId, artifactId }) => `${groupId}:${artifactId}`,
    packageManager: 'maven',
  },
  read: (manifest, { maven: reader }, options) => readProject(manifest, reader, options),
  upgradeTrials: (manifest, { maven: reader }, options) => upgradeTrials(manifest, reader, options),
  readPackage: (coordinates, { maven: reader }, options) => readPackage(coordinates, reader, options),
}

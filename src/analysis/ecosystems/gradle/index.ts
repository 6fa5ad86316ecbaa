import { mavenVersions } from '#analysis/versions/maven.ts'
import type { Ecosystem } from '../ecosystem.ts'
import { readPackage } from '../maven/package.ts'
import { readProject } from './project.ts'
import { upgradeTrials } from './upgrades.ts'

export const gradle: Ecosystem = {
  id: 'gradle',
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
  read: (manifest, { maven }, options) => readProject(manifest, maven, options),
  readPackage: (coordinates, { maven }, options) => readPackage(coordinates, maven, options),
  upgradeTrials: (manifest, { maven }, options) => upgradeTrials(manifest, maven, options),
}

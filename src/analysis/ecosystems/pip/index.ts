import { pep440Versions } from '#analysis/versions/pep440.ts'
import type { Ecosystem } from '../ecosystem.ts'
import { readPackage } from './read-package.ts'
import { readRequirements } from './read-requirements.ts'

export const pip = {
  id: 'pip',
  language: 'python',
  packageManager: 'pip',
  registry: 'PyPI',
  versions: pep440Versions,
  manifestName: /^requirements(?:[-_.][\w.-]+)?\.txt$/,
  coordinates: { parameters: ['packageName'], toName: ({ packageName }) => packageName! },
  fixAdvice: 'pin',
  takesRepositories: false,
  takesPython: true,
  read: (manifest, { pypi }, options) => readRequirements(manifest, pypi, options),
  readPackage: (coordinates, { pypi }, options) => readPackage(coordinates, pypi, options),
} satisfies Ecosystem

import { goVersions } from '#analysis/versions/go.ts'
import type { Ecosystem } from '../ecosystem.ts'

export const govendor = {
  id: 'govendor',
  language: 'golang',
  packageManager: 'golang',
  registry: 'Go',
  versions: goVersions,
  manifestName: /^vendor\.json$/,
  fixAdvice: 'none',
  takesRepositories: false,
  async read({ target }, _, options) {
    const { readVendored } = await import('./read-vendored.ts')
    return readVendored(target, options)
  },
} satisfies Ecosystem

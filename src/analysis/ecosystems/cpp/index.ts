import { conanVersions } from '#analysis/versions/conan.ts'
import type { Ecosystem } from '../ecosystem.ts'

export const conan = {
  id: 'conan',
  label: 'Conan',
  language: 'cpp',
  packageManager: 'conan',
  registry: 'ConanCenter',
  versions: conanVersions,
  manifestName: /^(?:conan\.lock|conanfile\.txt)$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about: 'The target is a conan.lock; the conanfile.txt beside it is additional. Tools and tests need includeDev.',
  async read(manifest, _registries, options) {
    const { readProject } = await import('./read-project.ts')
    return readProject(manifest, options)
  },
  async locate(manifest) {
    const { locateReferences } = await import('./locate.ts')
    return locateReferences(manifest)
  },
  raiseRange(written, version) {
    if (/^v?\d/.test(written)) return version
    const [, operator] = /^(\^|~|>=?)[^\s,|<>]+$/.exec(written.trim()) ?? []
    return operator && `${operator === '>' ? '>=' : operator}${version}`
  },
} satisfies Ecosystem

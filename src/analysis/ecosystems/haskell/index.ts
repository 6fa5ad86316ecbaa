import { hackageVersions } from '#analysis/versions/hackage.ts'
import type { Ecosystem } from '../ecosystem.ts'

export const haskell = {
  id: 'haskell',
  label: 'Cabal and Stack (Haskell)',
  language: 'haskell',
  packageManager: 'haskell',
  registry: 'Hackage',
  versions: hackageVersions,
  manifestName: /^(?:cabal\.project\.freeze|stack\.yaml\.lock)$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  noEdits: 'Cabal and Stack write their lockfiles',
  about: [
    'The target is a cabal.project.freeze, or a stack.yaml.lock with its stack.yaml as additional file.',
    'The lock of Stack does not have the packages of its snapshot, which are reported as unknown.',
  ].join(' '),
  read: async (manifest, _registries, options) => (await import('./read-haskell.ts')).readHaskell(manifest, options),
  locate: async (manifest) => (await import('./locate.ts')).locatePackages(manifest),
} satisfies Ecosystem

import { cargoVersions } from '#analysis/versions/cargo.ts'
import type { Ecosystem } from '../ecosystem.ts'

export const cargo = {
  id: 'cargo',
  label: 'Cargo',
  language: 'rust',
  packageManager: 'cargo',
  registry: 'crates.io',
  versions: cargoVersions,
  manifestName: /^Cargo\.lock$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about: [
    'The target is a Cargo.lock; the Cargo.toml files of the workspace are additional.',
    'Packages of all targets and features are tested; those that only tests and examples use, with includeDev.',
    'Without a Cargo.toml the lock does not tell them apart, so all are tested.',
  ].join(' '),
  async read(manifest, _registries, options) {
    const { readProject } = await import('./read-project.ts')
    return readProject(manifest, options)
  },
  async locate(manifest) {
    const { locateCrates } = await import('./locate.ts')
    return locateCrates(manifest)
  },
  raiseRange,
} satisfies Ecosystem

const COMPARATOR = /^(\s*)(\^|~|>=?|=|<=?|)(\s*)(\d[\w.*+-]*)(\s*)$/

/** Raises the lower bound of a range, keeping its operators. Wildcards become a caret or a tilde. */
function raiseRange(written: string, version: string): string | undefined {
  const release = version.replace(/\+.*$/, '')
  let isRaised = false
  const raised = written.split(',').map((part) => {
    const [, before = '', operator = '', gap = '', old = '', after = ''] = COMPARATOR.exec(part) ?? []
    if (old === '') return undefined
    if (operator.startsWith('<')) return part
    isRaised = true
    if (/\.[*xX]$/.test(old)) return `${before}${/^\d+\.[*xX]/.test(old) ? '' : '~'}${release}${after}`
    return `${before}${operator === '>' ? '>=' : operator}${gap}${release}${after}`
  })
  return isRaised && !raised.includes(undefined) ? raised.join(',') : undefined
}

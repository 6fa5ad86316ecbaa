import { composerVersions } from '#analysis/versions/composer.ts'
import type { Ecosystem } from '../ecosystem.ts'

export const composer = {
  id: 'composer',
  label: 'Composer',
  language: 'php',
  packageManager: 'composer',
  registry: 'Packagist',
  versions: composerVersions,
  manifestName: /^composer\.(?:lock|json)$/,
  fixAdvice: 'upgrade',
  takesRepositories: false,
  about: [
    'The target is a composer.lock; the composer.json beside it is additional.',
    'PHP, its extensions and libraries are not packages. Without a composer.lock, exact versions are tested.',
  ].join(' '),
  async read(manifest, _registries, options) {
    const { readProject } = await import('./read-project.ts')
    return readProject(manifest, options)
  },
  async locate(manifest) {
    const { locatePackages } = await import('./locate.ts')
    return locatePackages(manifest)
  },
  raiseRange,
} satisfies Ecosystem

const LOWER_BOUND = /^(\^|~|>=?|={1,2}|)(v?)(\d+(?:\.\d+)*(?:(?!\.x)[._-]?[a-z]+[\d.]*)?)(\.[x*])?$/i

/** Raises the last alternative of a range, keeping its operators. Wildcards and short tildes become a caret or a tilde. */
function raiseRange(written: string, version: string): string | undefined {
  const alternatives = written.split(/\s*\|\|?\s*/)
  const release = version.replace(/^v|\+.*$/g, '')
  const allowing = alternatives.find((alternative) => composerVersions.satisfies(version, alternative))
  let isRaised = false
  const parts = (allowing ?? alternatives.at(-1)!).trim().split(/([\s,]+)/)
  const raised = parts.map((part, at) => {
    if (at % 2 === 1 || /^[<!]/.test(part) || part === '-' || parts[at - 2] === '-') return part
    const [, operator, prefix = '', old = '', wildcard] = LOWER_BOUND.exec(part) ?? []
    if (operator === undefined) return undefined
    isRaised = true
    const numbers = old.split('.').length
    if (wildcard !== undefined) return `${numbers === 1 ? '^' : '~'}${release}`
    if (operator === '~' && numbers < 3) return `^${prefix}${release}`
    return `${operator === '>' ? '>=' : operator}${prefix}${release}`
  })
  return isRaised && !raised.includes(undefined) ? raised.join('') : undefined
}

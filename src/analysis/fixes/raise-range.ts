import { toSpecifiers } from '../ecosystems/python/packaging/poetry-range.ts'
import { npmVersions } from '../versions/npm.ts'
import { pep440Versions } from '../versions/pep440.ts'
import { rubygemsVersions } from '../versions/rubygems.ts'

/** The new text of a range, or the reason why it stays unchanged. */
export type Raised = { readonly text: string } | { readonly problem: string }

export type RangeStyle = 'npm' | 'pep508' | 'poetry'

/** Raises a range to at least `version`, keeping its notation. */
export function raiseRange(style: RangeStyle, written: string, version: string): Raised {
  const text = written.trim()
  if (/^(?:\*|latest|x|)$/i.test(text)) return { problem: `"${text}" names no version; renew the lockfile` }
  if (text.startsWith('catalog:')) return { problem: 'a catalog of the workspace sets its version; change it there' }
  const raised = style === 'npm' ? raiseNpm(text, version) : raisePython(text, version, style)
  if (raised !== undefined && isMet(style, raised, version)) return { text: written.replace(text, () => raised) }
  if (isMet(style, text, version)) return { problem: `"${text}" allows ${version} already; renew the lockfile` }
  return {
    problem:
      style === 'npm' && !npmVersions.isRange(text)
        ? `"${text}" is not a range of versions; change it by hand`
        : `the range "${text}" leaves no room for ${version}`,
  }
}

/** Returns true if a version satisfies the unchanged range. */
export function isMet(style: RangeStyle, range: string, version: string): boolean {
  if (style === 'npm') return npmVersions.satisfies(version, range)
  if (style === 'pep508') return pep440Versions.satisfies(version, range)
  return range.split(/\|\|?/).some((part) => pep440Versions.satisfies(version, toSpecifiers(part.trim()) ?? '===none'))
}

const VERSION = String.raw`\d+(?:\.\d+)*(?:[-+.]?[\w.+-]+)?`
const ONE_NPM = new RegExp(`^(\\^|~>?|>=?|=|)(\\s*v?)(${VERSION})$`)
/** `>=1 <2`, `>=1<2` and `1 - 2`. */
const NPM_PAIR = new RegExp(
  `^(?:>=?(\\s*v?)${VERSION}(\\s*<=?\\s*v?${VERSION})|(v?)${VERSION}(\\s+-\\s+v?${VERSION}))$`,
)

function raiseNpm(text: string, version: string): string | undefined {
  const [pair, gap = '', upper, prefix = '', last] = NPM_PAIR.exec(text) ?? []
  if (pair !== undefined) return upper === undefined ? `${prefix}${version}${last}` : `>=${gap}${version}${upper}`
  // "1", "1.x", "~1" and "1.2.x" have the meaning of a caret or a tilde.
  if (/^[v=~]?\d+(?:\.[x*])*$/i.test(text)) return `^${version}`
  if (/^[v=]?\d+\.\d+(?:\.[x*])?$/i.test(text)) return `~${version}`
  const [, operator, space = ''] = ONE_NPM.exec(text) ?? []
  return operator === undefined ? undefined : `${operator === '>' ? '>=' : operator}${space}${version}`
}

const PART = /^(\s*)(===|==|~=|>=|<=|!=|>|<|\^|~|=|)(\s*)([^\s,|]+)(\s*)$/

function raisePython(text: string, version: string, style: RangeStyle): string | undefined {
  const parts = text.split(',').map((part) => PART.exec(part))
  if (parts.includes(null)) return undefined
  let isRaised = false
  const raised = parts.map((part) => {
    const [, before = '', operator = '', gap = '', old = '', after = ''] = part!
    if (['<', '<=', '!='].includes(operator)) return part![0]
    if (old.includes('*') || (style === 'pep508' && /^[\^~=]?$/.test(operator))) return undefined
    isRaised = true
    if (operator === '>') return `${before}>=${gap}${version}${after}`
    if (operator === '~' && /^\d+$/.test(old)) return `${before}^${gap}${version}${after}`
    return `${before}${operator === '~=' ? compatible(gap, old, version) : `${operator}${gap}${version}`}${after}`
  })
  return isRaised && !raised.includes(undefined) ? raised.join(',') : undefined
}

/** `~=1.4` allows every later 1.x, which the same operator with more numbers would not. */
function compatible(gap: string, old: string, version: string): string {
  const count = (text: string) => text.split('.').length
  if (count(old) >= count(version)) return `~=${gap}${version}`
  return `~=${gap}${version.split('.').slice(0, count(old)).join('.')},>=${gap}${version}`
}

/**
 * Raises the requirements of a gem, one by one. `~> 1.2` allows every later 1.x, so another requirement follows it
 * where it would allow too much.
 */
export function raiseGem(requirements: readonly string[], version: string): readonly string[][] | undefined {
  let isRaised = false
  const raised = requirements.map((requirement): string[] => {
    const [, operator = '', gap = '', old = ''] = /^\s*(~>|>=|=|>|)(\s*)(\d[\w.]*)\s*$/.exec(requirement) ?? []
    if (old === '') return [requirement]
    isRaised = true
    if (operator === '~>') {
      const numbers = old.split('.').length
      const short = version.split('.').slice(0, numbers).join('.')
      return short === version ? [`~>${gap}${version}`] : [`~>${gap}${short}`, `>=${gap}${version}`]
    }
    return [`${operator === '>' ? '>=' : operator}${gap}${version}`]
  })
  if (!isRaised || !raised.flat().every((requirement) => rubygemsVersions.satisfies(version, requirement)))
    return undefined
  const firsts = new Set(raised.map(([first]) => first))
  return raised.map(([first, more]) => (more === undefined || firsts.has(more) ? [first!] : [first!, more]))
}

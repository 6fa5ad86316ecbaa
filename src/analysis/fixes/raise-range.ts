import { toSpecifiers } from '../ecosystems/pip/poetry-range.ts'
import { npmVersions } from '../versions/npm.ts'
import { pep440Versions } from '../versions/pep440.ts'
import { rubygemsVersions } from '../versions/rubygems.ts'

/** The new text of a range, or the reason for which it stays. */
export type Raised = { readonly text: string } | { readonly problem: string }

export type RangeStyle = 'npm' | 'pep508' | 'poetry'

/** Raises a range so that it demands at least a version and still looks as before. */
export function raiseRange(style: RangeStyle, written: string, version: string): Raised {
  const text = written.trim()
  if (/^(?:\*|latest|x|)$/i.test(text)) return { problem: `"${text}" names no version; renew the lockfile` }
  const raised = style === 'npm' ? raiseNpm(text, version) : raisePython(text, version, style)
  const isMet =
    raised !== undefined &&
    (style === 'npm'
      ? npmVersions.satisfies(version, raised)
      : pep440Versions.satisfies(version, style === 'poetry' ? (toSpecifiers(raised) ?? '===none') : raised))
  return isMet ? { text: raised } : { problem: `the range "${text}" leaves no room for ${version}` }
}

const VERSION = String.raw`v?\d+(?:\.\d+)*(?:[-+.]?[\w.+-]+)?`
const ONE_NPM = new RegExp(`^(\\^|~|>=|=|)(\\s*)(${VERSION})$`)
const NPM_PAIR = new RegExp(`^>=(\\s*)${VERSION}(\\s+<=?\\s*${VERSION})$`)

function raiseNpm(text: string, version: string): string | undefined {
  const [, space = '', upper] = NPM_PAIR.exec(text) ?? []
  if (upper !== undefined) return `>=${space}${version}${upper}`
  const wildcard = /^[v=]?\d+(\.\d+)?(?:\.[x*])?(?:\.[x*])?$/i.exec(text)
  // "1", "1.x" and "1.2.x" have the meaning of a caret or a tilde.
  if (wildcard !== null && !/^[v=]?\d+\.\d+\.\d+$/.test(text))
    return `${wildcard[1] === undefined ? '^' : '~'}${version}`
  const [, operator, gap = ''] = ONE_NPM.exec(text) ?? []
  return operator === undefined ? undefined : `${operator}${gap}${version}`
}

const PART = /^(\s*)(===|==|~=|>=|<=|!=|>|<|\^|~|=|)(\s*)([^\s,]+)(\s*)$/

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

/** Raises the requirements of a gem, of which `~> 1.2` allows every later 1.x. */
export function raiseGem(requirements: readonly string[], version: string): readonly string[] | undefined {
  let isRaised = false
  const raised = requirements.flatMap((each): string[] => {
    const [, operator = '', gap = '', old = ''] = /^\s*(~>|>=|=|>|)(\s*)(\d[\w.]*)\s*$/.exec(each) ?? []
    if (old === '') return [each]
    isRaised = true
    if (operator === '~>') {
      const numbers = old.split('.').length
      const short = version.split('.').slice(0, numbers).join('.')
      return short === version ? [`~>${gap}${version}`] : [`~>${gap}${short}`, `>=${gap}${version}`]
    }
    return [`${operator === '>' ? '>=' : operator}${gap}${version}`]
  })
  return isRaised && raised.every((each) => rubygemsVersions.satisfies(version, each))
    ? [...new Set(raised)]
    : undefined
}

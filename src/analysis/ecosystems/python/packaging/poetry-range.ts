const plain = /^v?\d[\w.+!-]*(?:\.\*)?$/
/** Ranges with the same syntax in PEP 440; lockfiles contain thousands of them. */
const PLAIN = /^(?:>=|<=|!=|<|>)\d+(?:\.\d+)*(?:,(?:>=|<=|!=|<|>)\d+(?:\.\d+)*)*$/
const operators = /^(?:===|==|!=|<=|>=|<|>|~=)/

/**
 * Translates one range of Poetry (its documentation, "Dependency specification") to the specifiers of PEP 440;
 * undefined for alternatives (`||`), which those cannot express, and for invalid text.
 */
export function toSpecifiers(range: string): string | undefined {
  if (PLAIN.test(range)) return range
  const text = range.trim()
  if (text.length > 1_000 || text.includes('|')) return undefined
  if (text === '' || text === '*') return ''
  const parts = splitParts(text).map(translate)
  return parts.includes(undefined) ? undefined : parts.filter((part) => part !== '').join(',')
}

/** Splits at commas and at blanks that do not follow an operator. */
function splitParts(text: string): string[] {
  return text
    .replace(/([~^<>=!])\s+/g, '$1')
    .split(/[\s,]+/)
    .filter((part) => part !== '')
}

function translate(part: string): string | undefined {
  if (part === '*') return ''
  if (part.startsWith('^')) return toCaret(part.slice(1))
  if (/^~(?!=)/.test(part)) return toTilde(part.slice(1))
  if (operators.test(part)) return part.replace(/^=(?![=])/, '==').replace(/^([<>]=?)(.*)\.\*$/, '$1$2')
  const version = part.replace(/^=/, '')
  if (/^\d+(?:\.\d+)*\.x$/i.test(version)) return `==${version.slice(0, -1)}*`
  return plain.test(version) ? `==${version}` : undefined
}

/** Allows changes right of the first number that is not zero. */
function toCaret(version: string): string | undefined {
  const numbers = releaseOf(version)
  if (numbers === undefined) return undefined
  const first = numbers.findIndex((number) => number !== '0')
  const at = first === -1 ? numbers.length - 1 : first
  return `>=${version},<${next(numbers, at)}`
}

/** Allows changes of the last number; of the second one if there are three or more. */
function toTilde(version: string): string | undefined {
  const numbers = releaseOf(version)
  return numbers && `>=${version},<${next(numbers, Math.min(1, numbers.length - 1))}`
}

function releaseOf(version: string): string[] | undefined {
  return plain.test(version) ? /^v?(?:\d+!)?(\d+(?:\.\d+)*)/.exec(version)?.[1]?.split('.') : undefined
}

function next(numbers: readonly string[], at: number): string {
  return [...numbers.slice(0, at), String(BigInt(numbers[at]!) + 1n)].join('.')
}

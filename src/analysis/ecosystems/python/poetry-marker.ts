import { toSpecifiers } from './packaging/poetry-range.ts'

const specifier = /^(===|==|!=|<=|>=|<|>|~=)(.+)$/

/** Translates Poetry's range of Pythons to a marker; undefined if every Python is allowed or the range is invalid. */
export function toPythonMarker(range: string | undefined): string | undefined {
  if (range === undefined) return undefined
  const alternatives = range.split(/\|\|?/).map((alternative) => toSpecifiers(alternative.trim()))
  if (alternatives.includes(undefined) || alternatives.includes('')) return undefined
  return alternatives.map((alternative) => alternative!.split(',').map(toCondition).join(' and ')).join(' or ')
}

/** A version without a patch is compared as `python_version`, as Poetry does. */
function toCondition(part: string): string {
  const [, operator = '==', version = ''] = specifier.exec(part) ?? []
  const isShort = version.split('.').length <= 2 && !version.includes('*') && operator !== '~='
  return `${isShort ? 'python_version' : 'python_full_version'} ${operator} "${version.replaceAll('"', '')}"`
}

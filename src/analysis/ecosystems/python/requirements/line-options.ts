/** A line of a requirements file: its requirement and its options. */
export interface LineParts {
  /** Undefined for a line with options only. */
  readonly requirement: string | undefined
  readonly isEditable: boolean
  readonly options: readonly LineOption[]
}

export interface LineOption {
  readonly name: OptionName
  /** Empty for options without a value. */
  readonly value: string
}

export type OptionName = (typeof withValue)[number] | (typeof withoutValue)[number]

const withValue = [
  '--index-url',
  '--extra-index-url',
  '--constraint',
  '--requirement',
  '--editable',
  '--find-links',
  '--no-binary',
  '--only-binary',
  '--all-releases',
  '--only-final',
  '--trusted-host',
  '--use-feature',
  '--hash',
  '--config-settings',
] as const
const withoutValue = ['--no-index', '--prefer-binary', '--require-hashes', '--no-require-hashes', '--pre'] as const
const otherSpellings: Readonly<Record<string, OptionName>> = {
  '-i': '--index-url',
  '--pypi-url': '--index-url',
  '-c': '--constraint',
  '-r': '--requirement',
  '-e': '--editable',
  '-f': '--find-links',
  '-C': '--config-settings',
  '--config-setting': '--config-settings',
  '--config': '--config-settings',
}
/** Options of older pip versions that never affected versions, with their number of values. */
const formerOptions: Readonly<Record<string, 0 | 1>> = {
  '-Z': 0,
  '--always-unzip': 0,
  '--use-wheel': 0,
  '--no-use-wheel': 0,
  '--allow-all-external': 0,
  '--allow-external': 1,
  '--allow-unverified': 1,
  '--allow-insecure': 1,
  '--process-dependency-links': 0,
  '--use-mirrors': 0,
  '--install-option': 1,
  '--global-option': 1,
  '--build-option': 1,
}

/**
 * Parses a line as pip does: up to the first word with a leading hyphen it is a requirement; the rest is split as a
 * shell would and parsed as options, which may be abbreviated unambiguously. Undefined for a line that pip refuses;
 * obsolete options are dropped.
 */
export function parseLine(text: string): LineParts | undefined {
  const words = text.split(' ')
  const first = words.findIndex((word) => word.startsWith('-'))
  const requirement = (first === -1 ? words : words.slice(0, first)).join(' ').trim()
  const rest = first === -1 ? [] : splitAsShell(words.slice(first).join(' '))
  const options = rest === undefined ? undefined : readOptions(rest)
  if (options === undefined) return undefined
  const editable = options.find(({ name }) => name === '--editable')
  if (requirement !== '') return { requirement: requirement, isEditable: false, options }
  return { requirement: editable?.value, isEditable: editable !== undefined, options }
}

function readOptions(words: readonly string[]): LineOption[] | undefined {
  const options: LineOption[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith('-') || word === '-') continue
    if (word === '--') return options
    const { key, attached } = splitOption(word)
    const name = findOption(key)
    if (name === undefined) {
      const values = Object.hasOwn(formerOptions, key) ? formerOptions[key]! : undefined
      if (values === undefined) return undefined
      at += attached === undefined ? values : 0
      continue
    }
    const takesValue = (withValue as readonly string[]).includes(name)
    const value = takesValue ? (attached ?? words[++at]) : ''
    if (value === undefined || (!takesValue && attached !== undefined)) return undefined
    options.push({ name, value })
  }
  return options
}

/** Splits `--name=value` and `-nvalue`. */
function splitOption(word: string): { key: string; attached: string | undefined } {
  if (!word.startsWith('--')) return { key: word.slice(0, 2), attached: word.slice(2) || undefined }
  const equals = word.indexOf('=')
  return equals === -1
    ? { key: word, attached: undefined }
    : { key: word.slice(0, equals), attached: word.slice(equals + 1) }
}

function findOption(key: string): OptionName | undefined {
  const optionNames: readonly OptionName[] = [...withValue, ...withoutValue]
  if (Object.hasOwn(otherSpellings, key)) return otherSpellings[key]
  const exact = optionNames.find((name) => name === key)
  if (exact !== undefined || !key.startsWith('--') || Object.hasOwn(formerOptions, key)) return exact
  const all = [...optionNames, ...Object.keys(otherSpellings)].filter((name) => name.startsWith(key))
  const [only, ...others] = new Set(all.map((name) => otherSpellings[name] ?? (name as OptionName)))
  return others.length === 0 ? only : undefined
}

/** Splits POSIX words with quotes and backslashes; undefined if a quote is unclosed. */
function splitAsShell(text: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quote !== '') {
      const next = text[at + 1]
      if (character === quote) quote = ''
      else if (quote === '"' && character === '\\' && (next === '"' || next === '\\')) word += text[++at]!
      else word += character
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word ??= ''
      if (character === '"' || character === "'") quote = character
      else if (character !== '\\') word += character
      else if (++at < text.length) word += text[at]!
      else return undefined
    }
  }
  if (quote !== '') return undefined
  if (word !== undefined) words.push(word)
  return words
}

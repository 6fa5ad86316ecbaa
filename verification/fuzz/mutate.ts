import type { Input } from './input.ts'
import { mutateJson } from './mutate-json.ts'
import { mutateXml } from './mutate-xml.ts'
import type { Random } from './random.ts'

/** Sources of inserted text. */
export interface Pantry {
  readonly random: Random
  /** Words that mean something to the parser. */
  readonly tokens: readonly string[]
  /** Any input that is kept. */
  donor(): Input
  readonly maxCharacters: number
}

type Mutation = (text: string, pantry: Pantry, donor: string) => string

const numbers = ['0', '1', '-1', '9', '00', '2147483648', '9007199254740993', '1e999', '1.0', '99999999999999999999']
const odd = [
  ...['\0', '\ud800', '\udfff', '\ufeff', '\u2028', '\u00a0', '\u0085', '\u0130', '\t', '\r', '\r\n', '\n', '\\', '/'],
  ...['"', "'", '`', '#', '%', '&', '&amp;', '&#0;', '<', '>', '<![CDATA[', '-->', '${', '}', '{', '[', ']', '(', ')'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '', ' ', ',', ';', ':', '=', '@', '!', '~'],
]
const words = /\d+(?:\.\d+)*|[\p{L}_][\p{L}\p{N}_-]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s\p{L}\p{N}]/gu

/** An input changed in one to several places, each at random; mostly few. */
export function mutate({ texts, world }: Input, pantry: Pantry, hasManyTexts: boolean): Input {
  const { random } = pantry
  const changed = [...texts]
  for (let round = 0; round === 0 || (round < 12 && random.below(3) !== 0); round++) {
    if (hasManyTexts && random.below(40) === 0) changeTexts(changed, pantry)
    const at = random.below(changed.length)
    const donors = pantry.donor().texts
    const donor = donors[Math.min(at, donors.length - 1)] ?? ''
    changed[at] = mutateText(changed[at]!, pantry, donor).slice(0, pantry.maxCharacters)
  }
  return { texts: changed, world }
}

function changeTexts(texts: string[], { random, donor }: Pantry): void {
  const at = random.below(texts.length)
  const what = random.below(4)
  if (what === 0 && texts.length > 1) texts.splice(at, 1)
  else if (what === 1 && texts.length < 8) texts.push(texts[at]!)
  else if (what === 2 && texts.length < 8) texts.push(random.pick(donor().texts))
  else texts.push(...texts.splice(at, 1))
}

const mutations: readonly Mutation[] = [
  removeSpan,
  insertToken,
  insertToken,
  replaceWord,
  replaceWord,
  replaceWord,
  replaceNumber,
  insertOdd,
  insertOdd,
  changeLines,
  changeLines,
  changeLines,
  takeFromDonor,
  takeFromDonor,
  cutOff,
  repeatSpan,
  repeatNumbered,
  changeBrackets,
  changeBrackets,
  indent,
]

/** Mutates mostly within the grammar, since otherwise few inputs would pass the parser. */
function mutateText(text: string, pantry: Pantry, donor: string): string {
  const { random } = pantry
  const start = text.slice(0, 200).trimStart()[0]
  if (random.below(4) > 0) {
    if (start === '{' || start === '[') return mutateJson(text, random)
    if (start === '<') return mutateXml(text, random, donor)
  }
  return random.pick(mutations)(text, pantry, donor)
}

/** Spans are mostly short. */
function span(text: string, { random }: Pantry): [from: number, to: number] {
  const from = random.below(text.length + 1)
  return [from, Math.min(text.length, from + random.below(1 + 2 ** random.below(10)))]
}

function splice(text: string, [from, to]: readonly [number, number], put: string): string {
  return text.slice(0, from) + put + text.slice(to)
}

function removeSpan(text: string, pantry: Pantry): string {
  return splice(text, span(text, pantry), '')
}

function insertToken(text: string, pantry: Pantry): string {
  const { random, tokens } = pantry
  const at = random.below(text.length + 1)
  return splice(text, [at, at], tokens.length === 0 ? random.pick(odd) : random.pick(tokens))
}

function insertOdd(text: string, pantry: Pantry): string {
  const { random } = pantry
  const at = random.below(text.length + 1)
  return splice(text, random.below(2) === 0 ? [at, at] : [at, Math.min(text.length, at + 1)], random.pick(odd))
}

function replaceWord(text: string, pantry: Pantry, donor: string): string {
  const { random, tokens } = pantry
  const place = wordNear(text, random)
  if (place === undefined) return text
  const source = random.below(4)
  if (source === 0) return splice(text, place, random.pick(odd))
  if (source === 1 && tokens.length > 0) return splice(text, place, random.pick(tokens))
  const [from, other] = source === 2 ? [text, wordNear(text, random)] : [donor, wordNear(donor, random)]
  return other === undefined ? text : splice(text, place, from.slice(...other))
}

/** Looks at a window only, as texts are long. */
function wordNear(text: string, random: Random): [number, number] | undefined {
  const start = Math.max(0, random.below(text.length + 1) - 20)
  const matches = [...text.slice(start, start + 100).matchAll(words)]
  if (matches.length === 0) return undefined
  const { index, 0: word } = random.pick(matches)
  return [start + index, start + index + word.length]
}

function replaceNumber(text: string, { random }: Pantry): string {
  const start = random.below(text.length + 1)
  const matches = /\d+/.exec(text.slice(start, start + 500))
  if (matches === null) return text
  const at = start + matches.index
  const old = matches[0]
  const put = random.below(2) === 0 ? String(Number(old.slice(0, 15)) + random.below(3) - 1) : random.pick(numbers)
  return splice(text, [at, at + old.length], put)
}

function changeLines(text: string, { random }: Pantry, donor: string): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const count = 1 + random.below(1 + random.below(5))
  const block = lines.slice(at, at + count)
  const elsewhere = random.below(lines.length)
  const theirs = donor.split('\n')
  const from = random.below(theirs.length)
  const what = random.below(5)
  if (what === 0) lines.splice(at, count)
  else if (what === 1) lines.splice(elsewhere, 0, ...block)
  else if (what === 2) lines.splice(elsewhere, 0, ...lines.splice(at, count))
  else if (what === 3) lines.splice(at, 0, ...theirs.slice(from, from + count))
  else lines.splice(at, count, block.join(' '))
  return lines.join('\n')
}

function takeFromDonor(text: string, pantry: Pantry, donor: string): string {
  const theirs = donor.slice(...span(donor, pantry))
  if (pantry.random.below(8) > 0) return splice(text, span(text, pantry), theirs)
  const at = pantry.random.below(text.length + 1)
  return text.slice(0, at) + donor.slice(pantry.random.below(donor.length + 1))
}

function cutOff(text: string, { random }: Pantry): string {
  if (random.below(3) > 0) return text
  const at = random.below(text.length + 1)
  return random.below(2) === 0 ? text.slice(0, at) : text.slice(at)
}

function repeatSpan(text: string, pantry: Pantry): string {
  const place = span(text, pantry)
  const part = text.slice(...place)
  const most = Math.floor(pantry.maxCharacters / Math.max(1, part.length))
  return splice(text, place, part.repeat(1 + pantry.random.below(Math.min(most, 2 ** pantry.random.below(14)))))
}

/** Repeats a span with a number in each copy, as in lists and maps that have nothing twice. */
function repeatNumbered(text: string, pantry: Pantry): string {
  const { random, maxCharacters } = pantry
  const place = span(text, pantry)
  const part = text.slice(...place)
  const at = random.below(part.length + 1)
  const count = Math.floor(maxCharacters / (part.length + 5) / 2 ** random.below(8))
  const copies = Array.from({ length: count }, (_, number) => `${part.slice(0, at)}${number}${part.slice(at)}`)
  return splice(text, place, copies.join(''))
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')', '<': '>' }

/** One node of whatever nests by brackets: emptied, taken out, doubled, put in itself, or put in another's place. */
function changeBrackets(text: string, pantry: Pantry): string {
  const { random } = pantry
  const node = bracketNear(text, random)
  if (node === undefined) return text
  const [from, to] = node
  const inner = text.slice(from, to)
  const what = random.below(5)
  if (what === 0) return splice(text, [from + 1, to - 1], '')
  if (what === 1) return splice(text, node, '')
  if (what === 2) return splice(text, node, inner + inner)
  if (what === 3) {
    const depth = Math.min(1 + random.below(2 ** random.below(12)), Math.floor(pantry.maxCharacters / 2))
    return splice(text, node, inner[0]!.repeat(depth) + inner + inner.at(-1)!.repeat(depth))
  }
  const other = bracketNear(text, random)
  return other === undefined ? text : splice(text, node, text.slice(...other))
}

function bracketNear(text: string, random: Random): [number, number] | undefined {
  const start = random.below(text.length + 1)
  const offset = text.slice(start, start + 300).search(/[{[(<]/)
  if (offset === -1) return undefined
  const from = start + offset
  const [open, close] = [text[from]!, closers[text[from]!]!]
  let depth = 0
  for (let at = from; at < Math.min(text.length, from + 5_000); at++) {
    if (text[at] === open) depth++
    else if (text[at] === close && --depth === 0) return [from, at + 1]
  }
  return undefined
}

function indent(text: string, { random }: Pantry): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const change = random.pick(['  ', '    ', '\t', ' ', ''])
  const end = at + 1 + random.below(4)
  return lines
    .map((line, index) => {
      if (index < at || index >= end) return line
      return change === '' ? line.replace(/^\s{1,2}/, '') : change + line
    })
    .join('\n')
}

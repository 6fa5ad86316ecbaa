/** Colors text by its meaning; the identity without colors. */
export interface Palette {
  readonly heading: Paint
  readonly faint: Paint
  readonly good: Paint
  readonly warning: Paint
  readonly critical: Paint
  readonly high: Paint
  readonly medium: Paint
  readonly low: Paint
}
type Paint = (text: string) => string

const codes = {
  heading: '1',
  faint: '2',
  good: '32',
  warning: '1;33',
  critical: '1;35',
  high: '31',
  medium: '33',
  low: '36',
} as const

export function createPalette(isColored: boolean): Palette {
  const paints = Object.entries(codes).map(([name, code]) => [
    name,
    (text: string) => (isColored && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text),
  ])
  return Object.fromEntries(paints) as unknown as Palette
}

const words = /\s+/
let segmenter: Intl.Segmenter | undefined

/** Returns the characters as users see them. Creates the segmenter on first use, which takes 15 ms. */
function segmentsOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

/** Breaks a text into lines. Longer words, such as package names, are broken where the line ends. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(words).filter((word) => word !== '')) {
    for (const part of cut(word, width)) {
      if (line === '') line = part
      else if (widthOf(line) + 1 + widthOf(part) <= width) line += ` ${part}`
      else {
        lines.push(line)
        line = part
      }
    }
  }
  return line === '' ? lines : [...lines, line]
}

function cut(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const parts: string[] = []
  let part = ''
  for (const { segment } of segmentsOf(word)) {
    if (widthOf(part) + widthOf(segment) > width) {
      parts.push(part)
      part = ''
    }
    part += segment
  }
  return [...parts, part]
}

const PRINTABLE_ASCII = /^[ -~]*$/
const WIDE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}/u

/** Returns the number of terminal cells. */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length
  let width = 0
  for (const { segment } of segmentsOf(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

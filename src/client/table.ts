import { printable } from './printable.ts'
import { pad, widthOf } from './terminal-text.ts'

export interface Column {
  readonly title: string
  /** May be shortened if the table is wider than the page. */
  readonly isFlexible?: boolean
  /** Left out if the others need the room. */
  readonly isOptional?: boolean
  readonly paint?: (text: string) => string
}

const GAP = '  '
const LEAST_WIDTH = 8
/** Below this width of a flexible column, optional ones are left out. */
const READABLE_WIDTH = 24

interface Page {
  /** Undefined for no limit. */
  readonly width: number | undefined
  readonly heading: (text: string) => string
}

/** Writes a table that fits into the width: optional columns are left out, then flexible ones shortened. */
export function toTable(
  all: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, heading }: Page,
): string {
  const shown = width === undefined ? all : choose(all, rows, width)
  const columns = all.filter((column) => shown.includes(column))
  const cells = rows.map((row) =>
    all.flatMap((column, at) => (shown.includes(column) ? [printable(row[at] ?? '')] : [])),
  )
  const natural = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[at] ?? ''))),
  )
  const widths = width === undefined ? natural : fit(columns, natural, width)
  const line = (row: readonly string[], paint: (text: string, at: number) => string) =>
    columns
      .map((_, at) => {
        const text = shorten(row[at] ?? '', widths[at]!)
        const isLast = at === columns.length - 1
        return paint(text, at) + (isLast ? '' : pad('', widths[at]! - widthOf(text)))
      })
      .join(GAP)
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  return [
    line(titles, (text) => (text === '' ? text : heading(text))),
    ...cells.map((row) => line(row, (text, at) => columns[at]!.paint?.(text) ?? text)),
  ]
    .map((text) => `${text}\n`)
    .join('')
}

/** Leaves out optional columns, the last first, until flexible ones are readable. */
function choose(all: readonly Column[], rows: readonly (readonly string[])[], width: number): readonly Column[] {
  const needs = new Map(
    all.map((column, at) => {
      const natural = Math.max(widthOf(column.title), ...rows.map((row) => widthOf(printable(row[at] ?? ''))))
      return [column, column.isFlexible ? Math.min(natural, READABLE_WIDTH) : natural]
    }),
  )
  let columns = all
  const needed = () => columns.reduce((sum, column) => sum + needs.get(column)! + GAP.length, -GAP.length)
  for (;;) {
    const optional = columns.findLast(({ isOptional }) => isOptional)
    if (optional === undefined || needed() <= width) return columns
    columns = columns.filter((column) => column !== optional)
  }
}

/** Takes the missing cells from the widest flexible column, one at a time. */
function fit(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  const widths = [...natural]
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - width
  while (excess > 0) {
    const flexible = columns.flatMap(({ isFlexible }, at) => (isFlexible && widths[at]! > LEAST_WIDTH ? [at] : []))
    if (flexible.length === 0) break
    const widest = flexible.reduce((one, other) => (widths[other]! > widths[one]! ? other : one))
    widths[widest]!--
    excess--
  }
  return widths
}

function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let short = ''
  for (const character of text) {
    if (widthOf(short) + widthOf(character) > width - 1) break
    short += character
  }
  return `${short}…`
}

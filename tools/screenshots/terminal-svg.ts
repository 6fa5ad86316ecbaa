const CELL = 8
const LINE = 18
const MARGIN = 14
const BACKGROUND = '#1b1e24'
const FOREGROUND = '#d7dae0'

/** Colors of the codes that the command line writes (SGR of ECMA-48). */
const colors: Readonly<Record<number, string>> = {
  31: '#f07178',
  32: '#a5d67b',
  33: '#ffcb6b',
  35: '#d9a0ff',
  36: '#7fd5e8',
}

interface Style {
  readonly color?: string | undefined
  readonly weight?: 'bold' | 'faint' | undefined
}

/** Draws lines of a terminal, with its colors, as text. Every run of a style begins at its own cell. */
export function toSvg(lines: readonly string[], columns: number): string {
  const [width, height] = [columns * CELL + 2 * MARGIN, lines.length * LINE + 2 * MARGIN]
  let style: Style = {}
  const rows = lines.flatMap((line, row) => {
    let cell = 0
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals mark styles with them
    const spans = line.split(/\u001b\[([\d;]*)m/).map((part, at) => {
      if (at % 2 === 1) {
        style = part.split(';').map(Number).reduce(withCode, style)
        return ''
      }
      const start = cell
      cell += part.length
      // Viewers join spaces: text after several of them has a place of its own.
      return [...part.matchAll(/\S+(?: \S+)*/g)]
        .map(({ 0: text, index }) => {
          const x = MARGIN + (start + index) * CELL
          return `<tspan x="${x}" textLength="${text.length * CELL}"${toAttributes(style)}>${escapeText(text)}</tspan>`
        })
        .join('')
    })
    const text = spans.join('')
    return text === '' ? [] : [`<text y="${MARGIN + (row + 0.75) * LINE}">${text}</text>`]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escapeText(lines[0] ?? '')}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="ui-monospace, monospace" font-size="13" fill="${FOREGROUND}">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return {}
  if (code === 1) return { ...style, weight: 'bold' }
  if (code === 2) return { ...style, weight: 'faint' }
  if (code === 22) return { ...style, weight: undefined }
  return code >= 30 && code < 40 ? { ...style, color: colors[code] } : style
}

function toAttributes({ color, weight }: Style): string {
  const fill = color === undefined ? '' : ` fill="${color}"`
  return fill + (weight === 'bold' ? ' font-weight="bold"' : weight === 'faint' ? ' opacity="0.65"' : '')
}

function escapeText(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)
}

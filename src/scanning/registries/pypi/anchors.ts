const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const space = /\s/

/**
 * Lists the attributes of every `a` element in an HTML page, in one pass. Names are in lower case; the first duplicate
 * counts.
 */
export function listAnchors(text: string, limit: number): Map<string, string>[] {
  const anchors: Map<string, string>[] = []
  const lower = text.toLowerCase()
  for (let at = lower.indexOf('<a'); at !== -1 && anchors.length < limit; ) {
    const after = at + '<a'.length
    if (space.test(text[after] ?? '')) {
      const { attributes, end } = readAttributes(text, after)
      anchors.push(attributes)
      at = lower.indexOf('<a', end)
    } else at = lower.indexOf('<a', after)
  }
  return anchors
}

function readAttributes(text: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let at = start
  while (at < text.length) {
    while (at < text.length && (space.test(text[at]!) || text[at] === '/')) at++
    if (at >= text.length || text[at] === '>') return { attributes, end: at }
    const from = at
    while (at < text.length && !/[\s=>/]/.test(text[at]!)) at++
    const name = text.slice(from, at).toLowerCase()
    while (at < text.length && space.test(text[at]!)) at++
    let value = ''
    if (text[at] === '=') {
      at++
      while (at < text.length && space.test(text[at]!)) at++
      const read = readValue(text, at)
      value = read.value
      at = read.end
    } else if (name === '') at++
    if (name !== '' && !attributes.has(name)) attributes.set(name, decodeEntities(value))
  }
  return { attributes, end: at }
}

function readValue(text: string, start: number): { value: string; end: number } {
  const quote = text[start]
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, start + 1)
    const end = close === -1 ? text.length : close
    return { value: text.slice(start + 1, end), end: end + 1 }
  }
  let end = start
  while (end < text.length && !/[\s>]/.test(text[end]!)) end++
  return { value: text.slice(start, end), end }
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

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

/** An attribute, with an unterminated value at the end of the text; empty before `>`. */
const ATTRIBUTE = /[\s/]*([^\s=>/]*)\s*(?:=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s>]*)))?/y

function readAttributes(text: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let at = start
  do {
    ATTRIBUTE.lastIndex = at
    const [whole, name = '', double, single, bare] = ATTRIBUTE.exec(text)!
    const key = name.toLowerCase()
    if (key !== '' && !attributes.has(key)) attributes.set(key, decodeEntities(double ?? single ?? bare ?? ''))
    at += whole.length
  } while (at < text.length && text[at] !== '>')
  return { attributes, end: at }
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

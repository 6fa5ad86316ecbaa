const TOKEN = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[?!][^>]*>|<(\/?)([\w.-]+)[^>]*?(\/?)>/g
/** Elements that a POM has once and that hold others. */
const BLOCKS = ['dependencies', 'properties', 'dependencyManagement', 'build', 'plugins']
const REPEATED = ['dependency', 'plugin']

interface Block {
  readonly name: string
  readonly start: number
  readonly bodyStart: number
  readonly bodyEnd: number
  readonly end: number
}

/** Adds elements to a POM; undefined where it has another of an element that may occur once. */
export function addElements(pom: string, text: string): string | undefined {
  const root = blocksIn(pom)[0]
  if (root === undefined) return undefined
  return addTo(pom, root, text)
}

function addTo(pom: string, parent: Block, text: string): string | undefined {
  let changed = pom
  let grown = parent
  for (const added of blocksIn(text)) {
    const [name, body] = [added.name, text.slice(added.bodyStart, added.bodyEnd)]
    const inside = changed.slice(grown.bodyStart, grown.bodyEnd)
    const own = blocksIn(inside).find((each) => each.name === name)
    const next =
      own === undefined || REPEATED.includes(name)
        ? insert(changed, grown.bodyEnd, text.slice(added.start, added.end))
        : mergeInto(changed, shift(own, grown.bodyStart), body)
    if (next === undefined) return undefined
    grown = { ...grown, bodyEnd: grown.bodyEnd + next.length - changed.length }
    changed = next
  }
  return changed
}

function mergeInto(pom: string, own: Block, body: string): string | undefined {
  if (own.bodyEnd < own.bodyStart || !BLOCKS.includes(own.name)) return undefined
  return own.name === 'properties' ? insert(pom, own.bodyEnd, body) : addTo(pom, own, body)
}

function shift(block: Block, by: number): Block {
  const { name, start, bodyStart, bodyEnd, end } = block
  return { name, start: start + by, bodyStart: bodyStart + by, bodyEnd: bodyEnd + by, end: end + by }
}

function insert(text: string, at: number, more: string): string {
  return text.slice(0, at) + more + text.slice(at)
}

/** The elements on the highest level of a text. */
function blocksIn(text: string): Block[] {
  const blocks: Block[] = []
  const open: { name: string; start: number; bodyStart: number }[] = []
  for (const { 0: tag, 1: isEnd, 2: name, 3: isEmpty, index } of text.matchAll(TOKEN)) {
    if (name === undefined) continue
    const end = index + tag.length
    if (isEmpty) {
      if (open.length === 0) blocks.push({ name, start: index, bodyStart: end, bodyEnd: index, end })
    } else if (isEnd === '') open.push({ name, start: index, bodyStart: end })
    else {
      const opened = open.pop()
      if (opened !== undefined && open.length === 0) blocks.push({ ...opened, bodyEnd: index, end })
    }
  }
  return blocks
}

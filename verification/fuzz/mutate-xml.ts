import type { Random } from './random.ts'

type Span = readonly [from: number, to: number]

const NEAR = 2_000
const FARTHEST = 20_000
/** Properties of Maven among them, which look like placeholders of ours. */
const property = (name: string) => `\${${name}}`
const contents = [
  ...['', ' ', '[1,2)', 'LATEST', '1.0-SNAPSHOT', '&amp;', '<![CDATA[x]]>', '../..'],
  ...[property('a'), property(property('a')), property('project.version')],
]

/** An XML document with one element changed: left out, emptied, doubled, nested, renamed, moved, or another's put there. */
export function mutateXml(text: string, random: Random, donor: string): string {
  const span = elementNear(text, random)
  if (span === undefined) return text
  const element = text.slice(...span)
  const put = (other: string) => text.slice(0, span[0]) + other + text.slice(span[1])
  const within = (inner: string) =>
    put(element.replace(/^(<[^>]*>)[\s\S]*(<\/[^>]*>)$/, (_, open, close) => open + inner + close))
  switch (random.below(9)) {
    case 0:
      return put('')
    case 1:
      return put(element.repeat(2 + random.below(2 ** random.below(6))))
    case 2:
      return within(random.pick(contents))
    case 3:
      return within(donor.slice(...(leafNear(donor, random) ?? [0, 0])))
    case 4:
      return within(element.repeat(1 + random.below(3)))
    case 5:
      return put(donor.slice(...(elementNear(donor, random) ?? [0, 0])))
    case 6: {
      const leaf = leafNear(text, random)
      const other = leafNear(text, random)
      return leaf && other ? text.slice(0, leaf[0]) + text.slice(...other) + text.slice(leaf[1]) : text
    }
    case 7: {
      const at = elementNear(text, random)?.[random.below(2)] ?? 0
      return text.slice(0, at) + element + text.slice(at)
    }
    default: {
      const name = /^<([\w.-]+)/.exec(text.slice(elementNear(text, random)?.[0] ?? 0))?.[1] ?? 'a'
      return put(element.replace(/^<[\w.-]+/, `<${name}`).replace(/[\w.-]+>$/, `${name}>`))
    }
  }
}

/** An element with its tags. */
function elementNear(text: string, random: Random): Span | undefined {
  const start = random.below(text.length + 1)
  const open = /<([\w.-]+)>/.exec(text.slice(start, start + NEAR))
  if (open === null) return undefined
  const from = start + open.index
  const tags = new RegExp(`<(/?)${open[1]!.replaceAll('.', '\\.')}>`, 'g')
  let depth = 0
  for (const { index, 0: tag, 1: slash } of text.slice(from, from + FARTHEST).matchAll(tags)) {
    depth += slash === '' ? 1 : -1
    if (depth === 0) return [from, from + index + tag.length]
  }
  return undefined
}

/** The text between two tags. */
function leafNear(text: string, random: Random): Span | undefined {
  const start = random.below(text.length + 1)
  const matches = />([^<>]+)</.exec(text.slice(start, start + NEAR))
  return matches === null ? undefined : [start + matches.index + 1, start + matches.index + 1 + matches[1]!.length]
}

import type { MutationPoint } from './find-mutants.ts'

/** A mutation point with the number that switches it on. */
export interface NumberedPoint extends MutationPoint {
  readonly id: number
}

type Span = MutationPoint['host']

/**
 * Returns a source that contains all changes at once, each behind `mutantIsActive(id)`. With no mutant active it behaves as
 * the original does.
 */
export function instrument(source: string, points: readonly NumberedPoint[]): string {
  const groups = [...Map.groupBy(points, ({ host }) => `${host.start} ${host.end} ${host.isStatement}`).values()]
  const sorted = groups.sort(([a], [b]) => a!.host.start - b!.host.start || outerFirst(a!.host, b!.host))
  return render({ start: 0, end: source.length, isStatement: true }, 0)[0]

  /** Returns the text of a span, and the place in `sorted` of the first group behind it. */
  function render(span: Span, from: number): [text: string, next: number] {
    let [text, at, next] = ['', span.start, from]
    while (next < sorted.length && sorted[next]![0]!.host.end <= span.end) {
      const group = sorted[next]!
      const { host } = group[0]!
      const [inner, after] = render(host, next + 1)
      text += source.slice(at, host.start) + (host.isStatement ? statement(group, inner) : expression(group, inner))
      ;[at, next] = [host.end, after]
    }
    return [text + source.slice(at, span.end), next]
  }

  function expression(group: readonly NumberedPoint[], inner: string): string {
    const arms = group.map(({ id, host, start, end, replacement }) => {
      const changed = source.slice(host.start, start) + replacement + source.slice(end, host.end)
      return `mutantIsActive(${id})?(${changed}):`
    })
    // The name in front keeps the line from continuing the one before.
    return `chosen(${arms.join('')}(${inner}))`
  }

  function statement(group: readonly NumberedPoint[], inner: string): string {
    return `{if(!mutantIsActive(${group[0]!.id})){${inner}}}`
  }
}

function outerFirst(a: Span, b: Span): number {
  return b.end - a.end || Number(b.isStatement) - Number(a.isStatement)
}

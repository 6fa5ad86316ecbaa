let segmenter: Intl.Segmenter | undefined

/** Returns the start of a text with at most `most` UTF-16 units, cut between characters as users see them. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  segmenter ??= new Intl.Segmenter()
  // A character of more units than this is cut anywhere.
  const from = Math.max(0, most - 64)
  const cut = segmenter.segment(text.slice(from, most + 64)).containing(most - from)
  return cut === undefined || cut.index === 0 ? text.slice(0, most).toWellFormed() : text.slice(0, from + cut.index)
}

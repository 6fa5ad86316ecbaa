/** A file of the project that a fix may change. */
export interface ProjectFile {
  /** Relative to the folder of the file set. */
  readonly path: string
  readonly text: string
}

/** A replacement in a file, by offsets. */
export interface Edit {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The upgrade of a direct dependency. */
export interface Upgrade {
  /** The registry's spelling. */
  readonly name: string
  readonly from: string
  readonly to: string
}

/** The edits that make an upgrade, or the reason why it cannot be made. */
export type Planned = { readonly edits: readonly Edit[] } | { readonly problem: string }

/** Applies edits, which must not overlap. */
export function applyEdits(text: string, edits: readonly Pick<Edit, 'start' | 'end' | 'text'>[]): string {
  let result = ''
  let at = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

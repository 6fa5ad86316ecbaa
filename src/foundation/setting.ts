/** One setting: what it is called outside, what it does, and how its text becomes a value. */
export interface Setting<T> {
  readonly env: string
  readonly description: string
  /** The default as people write it; undefined when there is none. */
  readonly fallback?: string
  /** Never printed. */
  readonly isSecret?: true
  /** Throws with a sentence that says what is expected. */
  read(text: string): T
}

export function setting<T>(described: Setting<T>): Setting<T> {
  return described
}

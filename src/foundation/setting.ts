/** A setting: its name, its description and its parser. */
export interface Setting<T> {
  readonly env: string
  readonly description: string
  /** The default in the spelling of users; undefined if there is none. */
  readonly fallback?: string
  /** An empty value does not mean the default. */
  readonly isEmptyAllowed?: true
  /** Listed in the README; the settings guide lists all. */
  readonly isCommon?: true
  /** Never printed. */
  readonly isSecret?: true
  /** Parses the text. Throws with the expected form. */
  read(text: string): T
}

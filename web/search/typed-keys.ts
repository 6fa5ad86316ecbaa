/** Input of the search before its field has the focus. */
export interface TypedKeys {
  readonly text: string
  /** True after Enter: the first result opens once it is there. */
  readonly isEntered: boolean
}

export const noKeys: TypedKeys = { text: '', isEntered: false }

/** Returns the input after a key press; undefined for keys that type nothing. */
export function pressKey({ text }: TypedKeys, event: KeyboardEvent): TypedKeys | undefined {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event
  const isShortcut = (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph')
  if (isShortcut || isComposing) return undefined
  if (key === 'Enter') return { text, isEntered: text !== '' }
  if (key === 'Backspace') return { text: text.slice(0, -1), isEntered: false }
  return key.length > 1 ? undefined : { text: text + key, isEntered: false }
}

/** Returns true for Ctrl+K, which also works in fields. The listener of the other shortcuts handles `/`. */
export function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
}

/** Undefined before Ctrl+K. */
let early: TypedKeys | undefined

function keepEarly(event: KeyboardEvent): void {
  if (isSearchKey(event)) {
    event.preventDefault()
    early = noKeys
    return
  }
  // Keys in a field belong to it: the first page may be the sign-in.
  if (event.target instanceof HTMLInputElement) early = undefined
  const typed = early && pressKey(early, event)
  if (typed === undefined) return
  event.preventDefault()
  early = typed
}

/** Keeps Ctrl+K and what is typed after it until the search is loaded. */
export function keepEarlyKeys(): void {
  document.addEventListener('keydown', keepEarly, true)
}

/** Returns the keys that were kept, if Ctrl+K was one, and keeps no more. */
export function takeEarlyKeys(): TypedKeys | undefined {
  document.removeEventListener('keydown', keepEarly, true)
  const taken = early
  early = undefined
  return taken
}

import { Window } from 'happy-dom'

/** The address of the document in tests. Nothing listens there. */
const ADDRESS = 'http://127.0.0.1/console/'

/** Names that Node has too, of which components need the document's. */
const REPLACED = ['Event', 'EventTarget', 'CustomEvent', 'MessageEvent', 'navigator', 'localStorage', 'sessionStorage']

/** Functions of Node's console with which React records every render and the place of every element. */
const RECORDERS = ['timeStamp', 'createTask']

/**
 * Makes the names of a browser global. Node keeps its own where both have one, such as `fetch` and `AbortSignal`,
 * because the server of the tests runs in the same process.
 */
export function installDom(): void {
  const window = new Window({ url: ADDRESS, settings: { device: { prefersReducedMotion: 'reduce' } } })
  // A text field that grows waits for fonts, which happy-dom does not know.
  Object.assign(window.document, { fonts: new EventTarget() })
  for (const name of RECORDERS) Reflect.deleteProperty(console, name)
  const names = new Set([...Object.getOwnPropertyNames(window), ...REPLACED])
  for (const name of names) {
    if (name in globalThis && !REPLACED.includes(name)) continue
    Object.defineProperty(globalThis, name, {
      value: Reflect.get(window, name),
      configurable: true,
      writable: true,
    })
  }
}

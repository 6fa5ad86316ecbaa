import { type ConsoleScope, paths } from './paths.ts'

interface Shortcut {
  readonly keys: readonly string[]
  readonly label: string
}

/** All shortcuts, as listed in the keyboard map. */
export const shortcuts: readonly { readonly heading: string; readonly of: readonly Shortcut[] }[] = [
  {
    heading: 'Everywhere',
    of: [
      { keys: ['/', 'Ctrl K'], label: 'Search' },
      { keys: ['?'], label: 'Show this map' },
      { keys: ['g o'], label: 'Go to the overview' },
      { keys: ['g i'], label: 'Go to issues' },
      { keys: ['g p'], label: 'Go to projects' },
      { keys: ['g a'], label: 'Go to apps' },
      { keys: ['Esc'], label: 'Close, or clear the selection' },
    ],
  },
  {
    heading: 'In a list',
    of: [
      { keys: ['j', 'k'], label: 'Next or previous row' },
      { keys: ['Enter'], label: 'Open the row' },
      { keys: ['→', '←'], label: 'Expand or collapse the row' },
      { keys: ['x'], label: 'Select the row' },
      { keys: ['Shift X'], label: 'Select all rows from the last selected one' },
      { keys: ['[', ']'], label: 'Previous or next page or tab' },
    ],
  },
  {
    heading: 'Actions',
    of: [
      { keys: ['i'], label: 'Ignore' },
      { keys: ['e'], label: 'Export' },
      { keys: ['f'], label: 'Filters' },
      { keys: ['t'], label: 'Test the manifest or project' },
    ],
  },
]

const SETTING = 'gatehouse-single-keys'

export function areSingleKeysOn(): boolean {
  return localStorage.getItem(SETTING) !== 'off'
}

export function switchSingleKeys(change: 'on' | 'off'): void {
  localStorage.setItem(SETTING, change)
}

interface Actions {
  readonly place: ConsoleScope | undefined
  readonly goTo: (path: string) => void
  readonly showMap: () => void
}

/** Maximum milliseconds between the keys of a sequence of two. */
const SEQUENCE_MS = 1_500

/**
 * Returns a listener for key presses. Buttons and fields declare their key in `aria-keyshortcuts`; pressing it clicks
 * or focuses the first visible one. Ignores keys typed into fields, in dialogs, and with Ctrl, Alt or Meta.
 */
export function listenForShortcuts(actions: Actions): (event: KeyboardEvent) => void {
  let firstAt = Number.NEGATIVE_INFINITY
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return
    if (isTyping(event.target) || isInDialog(event.target) || !areSingleKeysOn()) return
    const isSecond = event.timeStamp - firstAt < SEQUENCE_MS
    firstAt = Number.NEGATIVE_INFINITY
    if (event.key === 'g' && !isSecond) {
      firstAt = event.timeStamp
      return
    }
    const isDone = isSecond ? goTo(event.key, actions) : press(event.key, actions)
    if (isDone) event.preventDefault()
  }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** Returns true if a dialog or popover is open, or was closed by this key: without animation it disappears at once. */
function isInDialog(target: EventTarget | null): boolean {
  const dialog = '[role=dialog], :popover-open'
  return document.querySelector(dialog) !== null || (target instanceof Element && target.closest(dialog) !== null)
}

function goTo(key: string, { place, goTo }: Actions): boolean {
  const ofOrg = place?.kind === 'orgs' ? place.id : undefined
  const target = {
    o: paths.overview,
    i: ofOrg && paths.issues(ofOrg),
    p: ofOrg && paths.projects(ofOrg),
    a: ofOrg && paths.apps(ofOrg),
  }[key]
  if (target === undefined) return false
  goTo(target)
  return true
}

function press(key: string, { showMap }: Actions): boolean {
  if (key === '?') {
    showMap()
    return true
  }
  if (key === 'j' || key === 'k') return moveTo(key === 'j' ? 1 : -1)
  if (key === 'ArrowRight' || key === 'ArrowLeft') return expand(key === 'ArrowRight')
  if (key === 'x' || key === 'X') return select(key === 'X')
  if (key === '[' || key === ']') return pressNamed(key) || turnTab(key === ']' ? 1 : -1)
  return pressNamed(key)
}

/** Returns the visible elements of the page. */
function findAll<Kind extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): Kind[] {
  return [...within.querySelectorAll<Kind>(selector)].filter((kind) => kind.checkVisibility?.() ?? true)
}

function pressNamed(key: string): boolean {
  const [element] = findAll(`[aria-keyshortcuts~="${CSS.escape(key)}"]:not([disabled])`)
  if (!element) return false
  element.focus()
  if (!element.matches('input, select')) element.click()
  return true
}

/** Returns the links of rows; the first link of a row leads to its resource. */
function linksOfRows(): HTMLElement[] {
  return findAll('main tbody tr').flatMap((row) => findAll('a[href]', row).slice(0, 1))
}

function moveTo(step: 1 | -1): boolean {
  const links = linksOfRows()
  if (links.length === 0) return false
  const row = currentRow()
  const at = links.findIndex((link) => link.closest('tr') === row)
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1)
  links[next]!.focus()
  links[next]!.scrollIntoView?.({ block: 'nearest' })
  return true
}

function currentRow(): HTMLTableRowElement | null | undefined {
  return document.activeElement?.closest<HTMLTableRowElement>('main tbody tr')
}

function expand(isOpen: boolean): boolean {
  const row = currentRow()
  // While other controls of a row have the focus, arrow keys belong to them.
  if (!row || !document.activeElement?.matches('a[href], button[aria-expanded]')) return false
  const [button] = findAll(`button[aria-expanded="${isOpen ? 'false' : 'true'}"]`, row)
  button?.click()
  return button !== undefined
}

function checkboxIn(row: ParentNode): HTMLInputElement | undefined {
  return findAll<HTMLInputElement>('input[type=checkbox]:not(:disabled)', row)[0]
}

let lastSelected: WeakRef<HTMLTableRowElement> | undefined

function select(isRange: boolean): boolean {
  const row = currentRow()
  const box = row && checkboxIn(row)
  if (!box) return false
  const from = lastSelected?.deref()
  lastSelected = new WeakRef(row)
  const isChecked = !box.checked
  if (!isRange || !from?.isConnected) {
    box.click()
    return true
  }
  const rows = findAll<HTMLTableRowElement>('main tbody tr').filter((element) => checkboxIn(element) !== undefined)
  const [first, last] = [rows.indexOf(from), rows.indexOf(row)].sort((a, b) => a - b) as [number, number]
  for (const row of rows.slice(first, last + 1)) {
    const own = checkboxIn(row)!
    if (own.checked !== isChecked) own.click()
  }
  return true
}

function turnTab(step: 1 | -1): boolean {
  const tabs = findAll('main [role=tab]')
  const at = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true')
  const next = at === -1 ? undefined : tabs[at + step]
  next?.focus()
  next?.click()
  return next !== undefined
}

const SCHEME = 'data-mantine-color-scheme'

/** Prints in light colors: a dark page on paper is gray text without its ground. */
export function printInLightColors(): void {
  const root = document.documentElement
  let before: string | null = null
  addEventListener('beforeprint', () => {
    before = root.getAttribute(SCHEME)
    root.setAttribute(SCHEME, 'light')
  })
  addEventListener('afterprint', () => {
    if (before !== null) root.setAttribute(SCHEME, before)
  })
}

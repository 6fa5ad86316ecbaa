import { printable } from './printable.ts'
import { isAnimated } from './terminal.ts'

export interface Progress {
  show(text: string): void
  clear(): void
}

interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows the current step in one line of a terminal; prints nothing elsewhere. */
export function openProgress(screen: Screen, environment: Readonly<Record<string, string | undefined>>): Progress {
  if (!isAnimated(screen, environment)) return { show() {}, clear() {} }
  let isShown = false
  return {
    show(text) {
      isShown = true
      const room = Math.max(10, (screen.columns ?? 80) - 1)
      const line = printable(text)
      screen.write(`\r\u001b[K${line.length > room ? `${line.slice(0, room - 1)}…` : line}`)
    },
    clear() {
      if (isShown) screen.write('\r\u001b[K')
      isShown = false
    },
  }
}

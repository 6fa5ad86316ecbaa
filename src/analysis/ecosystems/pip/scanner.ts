/** A text that is read from left to right. */
export interface Scanner {
  readonly text: string
  at: number
}

export function startScanner(text: string): Scanner {
  return { text, at: 0 }
}

/** Takes what the sticky expression matches here. */
export function take(scanner: Scanner, expression: RegExp): string | undefined {
  expression.lastIndex = scanner.at
  const match = expression.exec(scanner.text)
  if (match === null) return undefined
  scanner.at += match[0].length
  return match[0]
}

const blanks = /[ \t]+/y

export function skipBlanks(scanner: Scanner): void {
  take(scanner, blanks)
}

export function isAtEnd({ text, at }: Scanner): boolean {
  return at === text.length
}

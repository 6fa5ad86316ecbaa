/** A text read from left to right. */
export interface Scanner {
  readonly text: string
  at: number
}

export function startScanner(text: string): Scanner {
  return { text, at: 0 }
}

/** Consumes a match of the sticky expression. */
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

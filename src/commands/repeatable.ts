/** Collects the values of an option that may be repeated. */
export function append(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

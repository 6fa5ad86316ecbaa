import type { Input } from './input.ts'

const MAX_ATTEMPTS = 2_000

/** A smaller input with the same fault: parts are left out, larger ones first, as long as it stays. */
export async function minimize(input: Input, isSame: (smaller: Input) => Promise<boolean>): Promise<Input> {
  let smallest = input
  let attempts = 0
  const accept = async (texts: readonly string[]) => {
    if (attempts++ >= MAX_ATTEMPTS || !(await isSame({ ...smallest, texts }))) return false
    smallest = { ...smallest, texts }
    return true
  }
  for (let at = smallest.texts.length - 1; at > 0; at--) await accept(smallest.texts.toSpliced(at, 1))
  for (let at = 0; at < smallest.texts.length; at++) {
    for (let size = smallest.texts[at]!.length; size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < smallest.texts[at]!.length && attempts < MAX_ATTEMPTS; ) {
        const text = smallest.texts[at]!
        const isSmaller = await accept(smallest.texts.with(at, text.slice(0, from) + text.slice(from + size)))
        if (!isSmaller) from += size
      }
    }
  }
  return smallest
}

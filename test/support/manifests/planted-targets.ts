import type { Target } from '../../../verification/fuzz/input.ts'

/** One bug behind several branches, for the fuzzer to find; the instrumentation knows this file by its name. */
function parseDeep(text: string): number {
  if (!text.startsWith('plant')) throw new SyntaxError('no plant')
  let depth = 0
  for (const character of text) if (character === '(') depth++
  if (depth > 6 && text.includes('water')) (undefined as unknown as { grow(): void }).grow()
  return depth
}

/** A bug of each kind. */
function parse(text: string): unknown {
  let depth = 0
  if (text === 'plant loops') for (;;) depth++
  if (text === 'plant changes') Object.assign(Object.prototype, { planted: true })
  if (text === 'plant differs') return Math.random()
  if (text === 'plant throws') (undefined as unknown as { grow(): void }).grow()
  if (text === 'plant waits') return new Promise(() => {})
  return depth
}

export function listTargets(): Target[] {
  const corpus = () => ({ seeds: [{ texts: ['plant (a) grows'], world: 0 }] })
  const isRefusal = (error: unknown) => error instanceof SyntaxError
  return [
    { name: 'deep', corpus, run: ([text = '']) => parseDeep(text), isRefusal },
    { name: 'each kind', corpus, run: ([text = '']) => parse(text), isRefusal },
  ]
}

import { type ResolveFnOutput, type ResolveHookContext, registerHooks } from 'node:module'

/** Endings of modules; what each says of how to read the file, where it alone says it. */
const formats = new Map([
  ['.ts', { format: 'module-typescript' }],
  ['.mjs', { format: 'module' }],
  ['.js', {}],
])

const sources = new URL('./', import.meta.url).href

/**
 * Resolves imports with a full file name, relative or in our own sources. Returns undefined for others, which Node
 * resolves.
 */
export function findQuickly(specifier: string, context: ResolveHookContext): ResolveFnOutput | undefined {
  const isOurs = specifier.startsWith('#')
  if (!isOurs && !specifier.startsWith('.')) return undefined
  // What is required may be missing: many do so to find out.
  if (context.parentURL === undefined || !context.conditions.includes('import')) return undefined
  const found = formats.get(specifier.slice(specifier.lastIndexOf('.')))
  if (found === undefined || (isOurs && specifier.startsWith('#test/'))) return undefined
  const url = isOurs ? sources + specifier.slice(1) : new URL(specifier, context.parentURL).href
  return { url, ...found, shortCircuit: true }
}

/**
 * For each of the thousand files that a start loads Node looks at the disk three times before it reads it: a quarter of
 * the time for loading the program (measured 440 ms, 330 without). A file that is missing is found missing when it is read.
 */
export function resolveQuickly(): void {
  registerHooks({ resolve: (specifier, context, next) => findQuickly(specifier, context) ?? next(specifier, context) })
}

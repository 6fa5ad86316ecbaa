import { type ResolveFnOutput, type ResolveHookContext, registerHooks } from 'node:module'

/** Module formats by file extension; undefined where the extension alone does not determine the format. */
const formats = new Map([
  ['.ts', { format: 'module-typescript' }],
  ['.mjs', { format: 'module' }],
  ['.js', {}],
])

const sources = new URL('../', import.meta.url).href

/**
 * Resolves imports with a full file name, relative or in our own sources. Returns undefined for others, which Node
 * resolves.
 */
export function findQuickly(specifier: string, context: ResolveHookContext): ResolveFnOutput | undefined {
  const isOurs = specifier.startsWith('#')
  if (!isOurs && !specifier.startsWith('.')) return undefined
  // A `require` may be for an optional module: a missing file is then an ordinary result.
  if (context.parentURL === undefined || !context.conditions.includes('import')) return undefined
  const format = formats.get(specifier.slice(specifier.lastIndexOf('.')))
  if (format === undefined || (isOurs && specifier.startsWith('#test/'))) return undefined
  const url = isOurs ? sources + specifier.slice(1) : new URL(specifier, context.parentURL).href
  return { url, ...format, shortCircuit: true }
}

/**
 * Skips Node's three disk look-ups for each of the thousand files of a start, a quarter of the time for loading the
 * program (measured: 440 ms with them, 330 ms without). A missing file is noticed when it is read.
 */
export function resolveQuickly(): void {
  registerHooks({ resolve: (specifier, context, next) => findQuickly(specifier, context) ?? next(specifier, context) })
}

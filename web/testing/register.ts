import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'
import { installDom } from './dom.ts'

/** Prepares a process for component tests: loads JSX and style sheets, and creates a document. */
registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith('.css')) return { format: 'module', source: 'export default {}', shortCircuit: true }
    if (url.endsWith('?raw')) return { format: 'module', source: toModule(fileURLToPath(url)), shortCircuit: true }
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true }
  },
})
installDom()

/** Returns a module with the text of a file, as the build makes of an import with `?raw`. */
function toModule(path: string): string {
  return `export default ${JSON.stringify(readFileSync(path, 'utf8'))}`
}

/** Compiles with the compiler of the build. The source map keeps line numbers in failures correct. */
function compile(path: string): string {
  const { code, map, errors } = transformSync(path, readFileSync(path, 'utf8'), {
    jsx: { runtime: 'automatic' },
    sourcemap: true,
  })
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => `${path}: ${message}`).join('\n'))
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`
}

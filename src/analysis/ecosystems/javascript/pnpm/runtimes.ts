import { isObject, type JsonObject, ownValue, textOf } from '#analysis/documents/json-document.ts'

const names = ['node', 'deno', 'bun']

/** Prefix of the version of a runtime, which pnpm downloads from its makers instead of the registry. */
export const RUNTIME = 'runtime:'

/**
 * Adds the runtimes that pnpm 10.14 and later download for a project as its dependencies, as pnpm does
 * (`convertEnginesRuntimeToDependencies`): `devEngines.runtime` and `engines.runtime` with `onFail: download`.
 */
export function withRuntimes(document: JsonObject): JsonObject {
  return addRuntimes(addRuntimes(document, 'devEngines', 'devDependencies'), 'engines', 'dependencies')
}

function addRuntimes(document: JsonObject, engines: string, member: string): JsonObject {
  const declared = ownValue(document, engines)
  const runtime = isObject(declared) ? ownValue(declared, 'runtime') : undefined
  const dependencies = ownValue(document, member) ?? {}
  if (runtime === undefined || !isObject(dependencies)) return document
  const listed = (Array.isArray(runtime) ? runtime : [runtime]).filter(isObject)
  const added = names.flatMap((name) => {
    const runtime = listed.find((readonly) => textOf(readonly, 'name') === name)
    const isDownloaded = runtime !== undefined && textOf(runtime, 'onFail') === 'download'
    return isDownloaded && !ownValue(dependencies, name) ? [[name, RUNTIME + (textOf(runtime, 'version') ?? '')]] : []
  })
  if (added.length === 0) return document
  return { ...document, [member]: { ...dependencies, ...Object.fromEntries(added) } }
}

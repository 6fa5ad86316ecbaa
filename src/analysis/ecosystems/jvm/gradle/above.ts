import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import type { SourcePosition } from '../pom.ts'
import type { ScriptFacts } from './facts.ts'
import type { Call, Statement } from './language/expressions.ts'

interface Script {
  readonly file: SourcePosition['file']
  readonly places: ManifestPlaces
  readonly facts: ScriptFacts
}

/**
 * Removes from a script above a separately read module the declarations for its own project and for other modules.
 * Keeps a module's own script whole: modules without a script have no other source.
 */
export function dropOthers(statements: readonly Statement[], { file, places, facts }: Script): readonly Statement[] {
  const path = file === 'target' ? undefined : places.additional[file]
  if (path === undefined || !isAbove(path)) return statements
  const module = moduleBelow(places.target, path)
  const isOther = (call: Call) => {
    const name = call.names.at(-1)!
    if (name === 'project') return projectNamed(call) !== module
    if (name === 'apply')
      return call.keywordArgs.length > 0 && call.keywordArgs.every((argument) => argument.name === 'plugin')
    return call.names.includes('dependencies') || /^(?:dependencyManagement|configurations)$/.test(name)
  }
  return statements.filter(({ kind, value }) => {
    if (kind !== 'expression' || value.kind !== 'call' || !isOther(value)) return true
    // Prevents reporting the omitted statements as unread.
    facts.leftOut.push({ file, from: value.tokens.from, end: value.tokens.end })
    return false
  })
}

/** Returns true if a build script lies in a folder above the module's. */
export function isAbove(path: string | undefined): boolean {
  return path !== undefined && /^(?:\.\.\/)+build\.gradle(?:\.kts)?$/.test(path)
}

/** Returns the module's path in Gradle's spelling, relative to the build script above it. */
function moduleBelow(target: string, above: string): string {
  const folders = target.split('/').slice(0, -1)
  return `:${folders.slice(folders.length - (above.split('/').length - 1)).join(':')}`
}

function projectNamed({ positional, keywordArgs }: Call): string | undefined {
  const argument = positional[0] ?? keywordArgs.find(({ name }) => name === 'path')?.value
  if (argument?.kind !== 'text') return undefined
  return argument.parts.map((part) => ('text' in part ? part.text : '')).join('')
}

import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Declaration } from '#analysis/ecosystems/declaration.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { readTokens, type Token } from './scala/tokens.ts'

/** Keys whose modules are no dependencies. */
const OTHER_KEYS = /^(?:dependencyOverrides|excludeDependencies|evictionRules|libraryDependencySchemes)$/
const JOINS = /^%{1,3}$/

/** Finds modules that are written out: `"group" % "name"`. Those of `%%` have a suffix for the version of Scala. */
export function locateScalaModules({ target, additional }: Manifest): (Declaration & { readonly isCross: boolean })[] {
  return [target, ...additional].flatMap((text, at) => {
    const file = at === 0 ? ('target' as const) : at - 1
    return locateIn(tokensOf(text, file)).map((declaration) => ({
      ...declaration,
      file,
      ...(at === 0 && { fileName: 'build.sbt' }),
    }))
  })
}

function locateIn(tokens: readonly Token[]) {
  let key = ''
  return tokens.flatMap((token, at) => {
    const [join, artifact] = [tokens[at + 1], tokens[at + 2]]
    if (join?.kind === 'operator' && /^(?:\+\+?|:)=$/.test(join.value)) key = token.value
    const isModule =
      token.kind === 'text' && artifact?.kind === 'text' && join?.kind === 'operator' && JOINS.test(join.value)
    const isPart = tokens[at - 1]?.kind === 'operator' && JOINS.test(tokens[at - 1]!.value)
    if (!isModule || isPart || OTHER_KEYS.test(key)) return []
    return [{ name: `${token.value}:${artifact.value}`, line: token.line, isCross: join.value !== '%' }]
  })
}

/** Files that are no Scala give nothing. */
function tokensOf(text: string, file: Declaration['file']): Token[] {
  try {
    return readTokens(text, file)
  } catch (error) {
    if (error instanceof Unreadable) return []
    throw error
  }
}

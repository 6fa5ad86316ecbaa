import { isObject, type JsonObject, ownValue } from '#analysis/documents/json-document.ts'

const NUMERIC = /^v?(\d+)((?:\.(?:\d+|[xX*])){0,3})$/
const NUMERIC_BRANCH = /^((?:\d+\.)*\d+)(?:\.x)?-dev$/i

/**
 * Returns the version that Composer gives to a branch (`ArrayLoader::getBranchAlias`): that of `extra.branch-alias`, such
 * as `2.x-dev`. Undefined for releases and for branches without an alias.
 */
export function toBranchAlias(version: string, entry: JsonObject): string | undefined {
  if (!version.startsWith('dev-') && !version.endsWith('-dev')) return undefined
  const extra = ownValue(entry, 'extra')
  const aliases = isObject(extra) ? ownValue(extra, 'branch-alias') : undefined
  for (const [branch, alias] of isObject(aliases) ? Object.entries(aliases) : []) {
    if (typeof alias !== 'string' || branch.toLowerCase() !== version.toLowerCase()) continue
    const [, major, rest = ''] = NUMERIC.exec(alias.replace(/-dev$/, '')) ?? []
    if (!alias.endsWith('-dev') || major === undefined || !isBelow(alias, branch)) continue
    return `${major}${rest.replace(/\.[xX*]/g, '')}.x-dev`
  }
  return undefined
}

/** A branch with numbers can only stand for a part of them: `2.x-dev` for `2.1.x-dev`. */
function isBelow(alias: string, branch: string): boolean {
  const [, own] = NUMERIC_BRANCH.exec(branch) ?? []
  const [, other] = NUMERIC_BRANCH.exec(alias) ?? []
  return own === undefined || other === undefined || `${other}.`.startsWith(`${own}.`)
}

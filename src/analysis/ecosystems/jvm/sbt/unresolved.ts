import type { Unresolved } from '#analysis/dependency-graph.ts'
import { isUnknown, type Value, whyUnknown } from './values.ts'

/** Converts a value that only running the build could decide. */
export function toUnresolved(value: Value, name: string): Unresolved {
  const place = isUnknown(value) ? value.place : undefined
  const file = place?.file === 'target' || place === undefined ? {} : { file: `additional file ${place.file + 1}` }
  return {
    name,
    range: '*',
    code: 'not-static',
    reason: `Only running the build would tell: ${whyUnknown(value)}`,
    requiredBy: 'build.sbt',
    ...(place === undefined ? {} : { line: place.line }),
    ...file,
  }
}

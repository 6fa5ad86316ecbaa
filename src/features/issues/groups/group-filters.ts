import { severityWords } from '#features/projects/resource.ts'
import { parseTimestamp } from '#foundation/http/timestamp.ts'
import { type GroupFilters, wordsOf } from './group-list-store.ts'
import type { GroupQuery } from './group-resource.ts'

export function toFilters(query: GroupQuery): GroupFilters {
  const { effective_severity_level: levels, exploited, fixable, ignored, registry, created_after, id } = query
  const words = wordsOf(query.query ?? '')
  return {
    severities: levels?.map((level) => 4 - severityWords.indexOf(level)),
    isExploited: exploited,
    isFixable: fixable,
    isIgnored: ignored,
    registry,
    words: words.length === 0 ? undefined : words,
    knownFrom: created_after === undefined ? undefined : parseTimestamp(created_after, 'created_after'),
    key: id,
    packageKey: query.package,
  }
}

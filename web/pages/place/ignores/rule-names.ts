import { useQuery } from '@tanstack/react-query'
import type { Policy } from '../../../api/resources.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { LISTED } from './rule-words.ts'
import { findNames } from './suggestions.ts'

const fields = ['project', 'target'] as const
const NONE: ReadonlyMap<string, string> = new Map()

/** Reads the names of the projects and repositories that the listed conditions of rules name, by their ids. */
export function useConditionNames(
  place: ConsoleScope,
  rules: readonly Policy[] | undefined = [],
): ReadonlyMap<string, string> {
  const conditions = rules.flatMap(({ attributes }) => attributes.conditions_group.conditions)
  const [projects, targets] = fields.map((name) => {
    const values = conditions.flatMap(({ field, value }) => (field === name ? value.slice(0, LISTED) : []))
    return [...new Set(values)].sort()
  }) as [string[], string[]]
  const reading = useQuery({
    queryKey: ['suggestions', place, { projects, targets }],
    queryFn: async () =>
      new Map([...(await findNames(place, 'project', projects)), ...(await findNames(place, 'target', targets))]),
    enabled: projects.length + targets.length > 0,
  })
  return reading.data ?? NONE
}

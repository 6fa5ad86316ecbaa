import type { QueryClient } from '@tanstack/react-query'

/** Invalidates views that an ignore affects: lists of ignores, and issue counts. */
export function readIgnoresAgain(queries: QueryClient, orgId: string): void {
  for (const name of ['ignores', 'issues', 'project', 'projects'])
    void queries.invalidateQueries({ queryKey: [name, orgId] })
}

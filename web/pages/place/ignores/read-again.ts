import type { QueryClient } from '@tanstack/react-query'

/** What an ignore changes wherever it is shown: lists of ignores, and what projects count. */
export function readIgnoresAgain(queries: QueryClient, orgId: string): void {
  for (const name of ['ignores', 'issues', 'project', 'projects'])
    void queries.invalidateQueries({ queryKey: [name, orgId] })
}

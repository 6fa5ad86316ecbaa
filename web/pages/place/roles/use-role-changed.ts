import { useQueryClient } from '@tanstack/react-query'

/** Returns a function that reads again what shows the roles of a group, after one was changed. */
export function useRoleChanged(groupId: string): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [['roles-page', groupId], ['role', groupId], ['roles'], ['members']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
}

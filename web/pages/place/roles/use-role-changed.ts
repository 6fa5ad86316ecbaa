import { useQueryClient } from '@tanstack/react-query'

/** Returns a function that refreshes views of a group's roles after a change. */
export function useRoleChanged(groupId: string): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [['roles-page', groupId], ['role', groupId], ['roles'], ['members']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
}

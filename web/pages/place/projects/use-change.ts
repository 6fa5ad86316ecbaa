import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { OfProject } from './of-project.ts'

export function useChange<Wanted>({ orgId, project }: OfProject, change: (input: Wanted) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ['projects', orgId] })
      await queries.invalidateQueries({ queryKey: ['project', orgId, project.id] })
    },
  })
}

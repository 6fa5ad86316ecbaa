import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listRoles } from '../../../api/places.ts'
import { usePlaces } from '../../../hooks/place.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'

/** Loads the roles of the place's group. Some users may see accounts but not roles. */
export function useRoles(place: ConsoleScope) {
  const places = usePlaces()
  return useQuery({
    queryKey: ['roles', place.kind, place.id],
    queryFn: () => listRoles(places.data!, place),
    enabled: places.data !== undefined,
    staleTime: 60_000,
  })
}

export function RoleName({ place, id }: { place: ConsoleScope; id: string }) {
  const role = useRoles(place).data?.find((role) => role.id === id)
  return role ? role.attributes.name : <Code>{id}</Code>
}

import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listRoles } from '../../../api/places.ts'
import type { Place } from '../../../paths.ts'
import { usePlaces } from '../../../place.ts'

/** The roles of the place's group. Not everybody who may see accounts may see roles. */
export function useRoles(place: Place) {
  const places = usePlaces()
  return useQuery({
    queryKey: ['roles', place.kind, place.id],
    queryFn: () => listRoles(places.data!, place),
    enabled: places.data !== undefined,
    staleTime: 60_000,
  })
}

export function RoleName({ place, id }: { place: Place; id: string }) {
  const role = useRoles(place).data?.find((each) => each.id === id)
  return role ? role.attributes.name : <Code>{id}</Code>
}

import { Select, Skeleton } from '@mantine/core'
import { usePlaces } from '../hooks/place.ts'
import { type Place, sameListOf } from '../navigation/paths.ts'
import { useLocation, useNavigate } from '../router/react.tsx'

/** Goes to the same page of another organization or group where it has one. */
export function PlacePicker({ place }: { place: Place | undefined }) {
  const places = usePlaces()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  if (places.isPending) return <Skeleton height={36} role="status" aria-label="Loading organizations and groups" />
  if (places.isError) return null
  const { orgs, groups } = places.data

  function choose(value: string | null) {
    if (value === null) return
    const [kind, id] = value.split('/') as [Place['kind'], string]
    navigate(sameListOf({ kind, id }, pathname))
  }

  const option = (kind: Place['kind']) => (each: { id: string; attributes: { name: string } }) => ({
    value: `${kind}/${each.id}`,
    label: each.attributes.name,
  })
  return (
    <Select
      aria-label="Organization or group"
      placeholder="Choose one"
      nothingFoundMessage="No organization or group with this name"
      searchable
      allowDeselect={false}
      // Beside what it belongs to, so that it is in no place of its own for those who go by landmarks.
      comboboxProps={{ portalProps: { target: '#navigation' } }}
      value={place ? `${place.kind}/${place.id}` : null}
      onChange={choose}
      data={[
        { group: 'Organizations', items: orgs.map(option('orgs')) },
        { group: 'Groups', items: groups.map(option('groups')) },
      ].filter(({ items }) => items.length > 0)}
    />
  )
}

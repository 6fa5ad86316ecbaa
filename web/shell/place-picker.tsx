import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { sameListOf } from '../components/site-map.tsx'
import { usePlaces } from '../hooks/place.ts'
import type { ConsoleScope } from '../navigation/paths.ts'
import { useLocation, useNavigate } from '../router/react.tsx'
import { SelectorIcon } from '../ui/icons.tsx'
import styles from './place-picker.module.css'
import type { PlaceSelect } from './place-select.tsx'

/** Fetched when its field gets the focus: the list is large, and few users change the place. */
const fetchList = async () => (await import('./place-select.tsx')).PlaceSelect

const name = { 'aria-label': 'Organization or group', placeholder: 'Choose one' }

/** Opens the same page of another organization or group, if it has that page. */
export function PlacePicker({ place }: { place: ConsoleScope | undefined }) {
  const places = usePlaces()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [List, setList] = useState<typeof PlaceSelect>()
  if (places.isPending) return <Skeleton height={36} role="status" aria-label="Loading organizations and groups" />
  if (places.isError) return null
  const { orgs, groups } = places.data

  function choose(value: string | null) {
    if (value === null) return
    const [kind, id] = value.split('/') as [ConsoleScope['kind'], string]
    navigate(sameListOf({ kind, id }, pathname))
  }

  const option = (kind: ConsoleScope['kind']) => (scope: { id: string; attributes: { name: string } }) => ({
    value: `${kind}/${scope.id}`,
    label: scope.attributes.name,
  })
  const items = { orgs: orgs.map(option('orgs')), groups: groups.map(option('groups')) }
  const value = place ? `${place.kind}/${place.id}` : null
  if (List) {
    return (
      <List
        {...name}
        value={value}
        onChange={choose}
        defaultDropdownOpened
        data={[
          { group: 'Organizations', items: items.orgs },
          { group: 'Groups', items: items.groups },
        ].filter((group) => group.items.length > 0)}
      />
    )
  }
  return (
    <div className={styles['field']}>
      <input
        {...name}
        readOnly
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={false}
        value={[...items.orgs, ...items.groups].find((org) => org.value === value)?.label ?? ''}
        onPointerEnter={() => void fetchList().catch(() => undefined)}
        // The next focus tries again if the list cannot be fetched.
        onFocus={() =>
          void fetchList().then(
            (list) => setList(() => list),
            () => undefined,
          )
        }
      />
      <SelectorIcon size={14} />
    </div>
  )
}

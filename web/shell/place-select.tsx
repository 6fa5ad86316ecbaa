import { Select } from '@mantine/core'
import type { ComponentProps } from 'react'

/** The list of places, which can be searched. */
export function PlaceSelect(props: ComponentProps<typeof Select<string>>) {
  return (
    <Select
      nothingFoundMessage="No organization or group with this name"
      searchable
      allowDeselect={false}
      // Beside what it belongs to, so that it is in no place of its own for those who go by landmarks.
      comboboxProps={{ portalProps: { target: '#navigation' } }}
      autoFocus
      {...props}
    />
  )
}

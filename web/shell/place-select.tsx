import { Select } from '@mantine/core'
import type { ComponentProps } from 'react'

/** The list of places, which can be searched. */
export function PlaceSelect(props: ComponentProps<typeof Select<string>>) {
  return (
    <Select
      nothingFoundMessage="No organization or group with this name"
      searchable
      allowDeselect={false}
      // Rendered beside the field, so that it does not form a landmark of its own.
      comboboxProps={{ portalProps: { target: '#navigation' } }}
      autoFocus
      {...props}
    />
  )
}

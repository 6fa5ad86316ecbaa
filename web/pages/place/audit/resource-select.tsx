import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callData, type Query } from '../../../api/client.ts'
import { useMembers } from '../../../hooks/members.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'

type Kind = NonNullable<Query<'searchOrg'>['kinds']>[number]

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly place: ConsoleScope
  readonly kinds: readonly Kind[]
  readonly value: string | undefined
  /** Names of other resources, by id. */
  readonly names: ReadonlyMap<string, string>
  readonly onChange: (id: string | undefined) => void
}

interface Option {
  readonly value: string
  readonly label: string
}

const PAUSE_MS = 150
const LIMIT = 10

/** A choice of a resource by its name, which the server searches. */
export function ResourceSelect({ label, placeholder, place, kinds, value, names, onChange }: Props) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Option>()
  const [query] = useDebouncedValue(text.trim(), PAUSE_MS)
  const members = useMembers(place, { enabled: kinds.includes('member') })
  const others = kinds.filter((kind) => kind !== 'member')
  const matches = useQuery({
    queryKey: ['resources-by-name', place.id, others, query],
    queryFn: () => findResources(place.id, others, query),
    enabled: query !== '' && place.kind === 'orgs',
    placeholderData: keepPreviousData,
    retry: false,
  })
  const selected: Option | undefined =
    value === undefined || chosen?.value === value ? chosen : { value, label: names.get(value) ?? value }
  const options = [...members, ...(query === '' ? [] : (matches.data ?? []))].filter(
    (option) => option.value !== selected?.value,
  )
  return (
    <Select<string>
      label={label}
      placeholder={placeholder}
      data={selected && value !== undefined ? [selected, ...options] : options}
      value={value ?? null}
      searchable
      clearable
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={query === '' ? 'Type a name' : 'Nothing with this name'}
      onChange={(id) => {
        setChosen(options.find((option) => option.value === id))
        onChange(id ?? undefined)
      }}
    />
  )
}

async function findResources(orgId: string, kinds: readonly Kind[], query: string): Promise<readonly Option[]> {
  const hits = await callData('searchOrg', {
    params: { org_id: orgId },
    query: { query, kinds: [...kinds], limit: LIMIT },
  })
  return hits.map(({ id, attributes: { name } }) => ({ value: id, label: name }))
}

import { Checkbox, Group, NativeSelect, Pill, TagsInput, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { registries } from '../../../api/registries.ts'
import type { Condition, ConditionField } from '../../../api/resources.ts'
import type { ConsoleScope } from '../../../navigation/paths.ts'
import { severities } from '../../../ui/severity.tsx'
import { textField } from '../../../ui/text-field.ts'
import { optionsOf, upperFirst } from '../../../ui/words.ts'
import { fields } from './rule-words.ts'
import { findNames, suggest } from './suggestions.ts'

interface Props {
  readonly place: ConsoleScope
  readonly condition: Condition
  readonly error: string | undefined
  readonly onChange: (value: readonly string[]) => void
}

/** The field for the values of a condition. */
export function ValuesField(props: Props) {
  const { condition, error, onChange } = props
  const { field, value } = condition
  const label = fields[field]
  if (field === 'severity' || field === 'ecosystem') {
    return (
      <Checkbox.Group label={label} value={[...value]} onChange={onChange} error={error}>
        <Group gap="md" mt={8}>
          {(field === 'severity' ? severities : registries).map((option) => (
            <Checkbox key={option} value={option} label={upperFirst(option)} />
          ))}
        </Group>
      </Checkbox.Group>
    )
  }
  if (field === 'fix-available') {
    return (
      <NativeSelect
        {...textField(value[0] ?? 'false', (next) => onChange([next]), error)}
        label={label}
        data={optionsOf({ false: 'No fix yet', true: 'Fix available' })}
      />
    )
  }
  if (field === 'package-version' || field === 'path') {
    return (
      <TextInput
        label={label}
        description={descriptions[field]}
        {...textField(value[0] ?? '', (next) => onChange(next === '' ? [] : [next]), error)}
        spellCheck={false}
      />
    )
  }
  return <Tags {...props} />
}

const descriptions: Readonly<Partial<Record<ConditionField, string>>> = {
  'vulnerability-id': 'CVE, GHSA or other ids',
  package: 'Ecosystem and name, as in npm/lodash',
  'package-version': 'Range in the syntax of the ecosystem, as in <4.17.21',
  path: 'Packages from the direct dependency down, joined by “ > ”; * for any number of packages',
  'project-tag': 'Key and value, as in team:payments',
}

/** Milliseconds without typing after which suggestions are read. */
const PAUSE_MS = 250

/** Any number of texts, with suggestions where the interface has a list. */
function Tags({ place, condition: { field, value }, error, onChange }: Props) {
  const [search, setSearch] = useState('')
  const [typed] = useDebouncedValue(search, PAUSE_MS)
  const { data: suggestions = [] } = useQuery({
    queryKey: ['suggestions', place, field, typed],
    queryFn: () => suggest(place, field, typed),
    placeholderData: keepPreviousData,
  })
  const { data: names } = useQuery({
    queryKey: ['suggestions', place, field, { names: value }],
    queryFn: () => findNames(place, field, value),
    placeholderData: keepPreviousData,
    enabled: value.length > 0,
  })
  return (
    <TagsInput
      label={fields[field]}
      description={descriptions[field]}
      error={error}
      value={[...value]}
      onChange={onChange}
      searchValue={search}
      onSearchChange={setSearch}
      data={[...suggestions]}
      // The server has searched.
      filter={({ options }) => options}
      // Choosing a suggestion takes the focus first.
      acceptValueOnBlur={suggestions.length === 0}
      renderPill={({ value: text, onRemove, disabled }) => (
        <Pill withRemoveButton {...(onRemove && { onRemove })} disabled={disabled ?? false}>
          {names?.get(String(text)) ?? text}
        </Pill>
      )}
    />
  )
}

import { NativeSelect, TextInput } from '@mantine/core'
import { Suspense } from 'react'
import { usePlace } from '../../../hooks/place.ts'
import { lazyPart } from '../../../navigation/lazy.ts'
import { optionsOf } from '../../../ui/words.ts'
import type { TriageFilters } from './triage-query.ts'

const MemberSelect = lazyPart(async () => (await import('./member-select.tsx')).MemberSelect)

interface Props {
  readonly filters: TriageFilters
  readonly onChange: (part: TriageFilters) => void
}

/** Choices of a list of vulnerabilities: due dates and owner. */
export function TriageChoices({ filters, onChange }: Props) {
  return (
    <>
      <NativeSelect
        aria-label="Due date"
        value={filters.due ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ due: value || undefined })}
        data={optionsOf({ '': 'Due at any time', overdue: 'Overdue' })}
      />
      <OwnerChoice value={filters.assignee} onChange={(assignee) => onChange({ assignee })} />
    </>
  )
}

interface OwnerProps {
  readonly label?: string
  readonly value: string | undefined
  readonly onChange: (id: string | undefined) => void
}

export function OwnerChoice({ label, value, onChange }: OwnerProps) {
  const { id: orgId } = usePlace()
  const field = {
    placeholder: 'Any owner',
    ...(label === undefined ? { 'aria-label': 'Owner', maw: '14rem' } : { label }),
  }
  return (
    <Suspense fallback={<TextInput {...field} disabled />}>
      <MemberSelect orgId={orgId} {...field} value={value ?? null} onChange={(id) => onChange(id ?? undefined)} />
    </Suspense>
  )
}

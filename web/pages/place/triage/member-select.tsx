import { Select } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useMembers } from '../../../hooks/members.ts'

interface Props
  extends Pick<
    ComponentProps<typeof Select<string>>,
    'label' | 'aria-label' | 'placeholder' | 'disabled' | 'maw' | 'w'
  > {
  readonly orgId: string
  readonly value: string | null
  /** The name of a value that is not a member. */
  readonly formerName?: string | undefined
  readonly onChange: (id: string | null) => void
}

/** A choice of a member of an organization, or of its group. Without permission to list members, only the value. */
export function MemberSelect({ orgId, value, formerName, ...props }: Props) {
  const options = useMembers({ kind: 'orgs', id: orgId })
  const isKnown = value === null || options.some((option) => option.value === value)
  return (
    <Select<string>
      data={isKnown ? options : [{ value, label: formerName ?? value }, ...options]}
      value={value}
      searchable
      clearable
      nothingFoundMessage="No member with this name"
      {...props}
    />
  )
}

import { Text } from '@mantine/core'
import type { OrgIssue } from '../../../api/issues.ts'
import { DueDate } from './due-date.tsx'

interface Props {
  readonly issue: {
    readonly assignee?: OrgIssue['attributes']['assignee'] | undefined
    readonly due_on?: string | undefined
    readonly ignored: boolean
  }
}

/** The owner of an issue and its due date, in a row of a list. */
export function OwnerAndDue({ issue: { assignee, due_on, ignored } }: Props) {
  return (
    <>
      {assignee && (
        <Text span size="sm">
          {assignee.name}
          {!assignee.is_member && ' (left)'}
        </Text>
      )}{' '}
      {due_on !== undefined && !ignored && <DueDate on={due_on} />}
    </>
  )
}

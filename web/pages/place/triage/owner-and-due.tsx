import { Text } from '@mantine/core'
import type { OrgIssue } from '../../../api/issues.ts'
import { DueDate } from './due-date.tsx'

/** The owner of an issue and its due date, in a row of a list. */
export function OwnerAndDue({ issue: { assignee, due_on, ignored } }: { issue: OrgIssue['attributes'] }) {
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

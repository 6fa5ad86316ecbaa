import { Button, Code, Fieldset, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeTriage, readTriage, type Triage, type TriageChange, type TriageScope } from '../../../api/triage.ts'
import { Note } from '../../../components/note.tsx'
import { ReadingAlert, RefusalAlert } from '../../../components/refusal-alert.tsx'
import { useSelf } from '../../../hooks/place.ts'
import { toFullDay } from '../../../ui/charts/days.ts'
import { Segments } from '../../../ui/segments.tsx'
import { Comments } from './comments.tsx'
import { DueDate } from './due-date.tsx'
import { MemberSelect } from './member-select.tsx'

type Kind = 'project' | 'target'

interface Props {
  readonly orgId: string
  readonly projectId: string
  readonly issueId: string
}

/** Owner, due date and comments of a vulnerability in a project, or in all projects of its repository. */
export function LoadedPanel({ orgId, projectId, issueId }: Props) {
  const [kind, setKind] = useState<Kind>('project')
  const ofProject: TriageScope = { orgId, id: projectId, issueId }
  const project = useTriage(ofProject)
  const repository = project.data?.attributes.repository
  const ofRepository: TriageScope = { orgId, id: repository?.id ?? '', issueId }
  const target = useTriage(ofRepository, kind === 'target')
  const scope = kind === 'project' ? ofProject : ofRepository
  const reading = kind === 'project' ? project : target
  return (
    <Stack gap="sm" mt="sm" component="section" aria-label="Owner and due date">
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h5">
          Owner and due date
        </Title>
        {repository && (
          <Segments
            aria-label="Applies to"
            size="xs"
            value={kind}
            onChange={setKind}
            options={[
              { value: 'project', label: 'This project' },
              { value: 'target', label: 'Whole repository' },
            ]}
          />
        )}
      </Group>
      <ReadingAlert title="Could not load owner and due date" reading={reading} />
      {reading.isPending && <Skeleton height={90} role="status" aria-label="Loading owner and due date" />}
      {reading.data && (
        <Fieldset
          key={kind}
          variant="unstyled"
          p={0}
          m={0}
          miw={0}
          bd="none"
          disabled={!reading.data.attributes.is_editable}
        >
          <Stack gap="sm">
            {!reading.data.attributes.is_editable && (
              <Note size="sm">
                Read-only: changes and comments need the permission <Code>org.project.edit</Code>.
              </Note>
            )}
            <Fields kind={kind} scope={scope} triage={reading.data} />
            <Comments kind={kind} scope={scope} />
          </Stack>
        </Fieldset>
      )}
    </Stack>
  )
}

function keyOf({ orgId, id, issueId }: TriageScope) {
  return ['triage', orgId, id, issueId] as const
}

function useTriage(scope: TriageScope, enabled = true) {
  return useQuery({ queryKey: keyOf(scope), queryFn: () => readTriage(scope), enabled })
}

function Fields({ kind, scope, triage: { attributes } }: { kind: Kind; scope: TriageScope; triage: Triage }) {
  const queries = useQueryClient()
  const self = useSelf()
  const saving = useMutation({
    mutationFn: (change: TriageChange) => changeTriage(scope, change),
    onSuccess: async () => {
      for (const queryKey of [
        ['issues', scope.orgId],
        ['project', scope.orgId],
        ['issue-groups', scope.orgId],
        ['overview', scope.orgId],
      ]) {
        void queries.invalidateQueries({ queryKey })
      }
      await queries.invalidateQueries({ queryKey: ['triage', scope.orgId] })
    },
  })
  const { assignee, due_on: dueOn, own } = attributes
  const isMine = self.data !== undefined && assignee?.id === self.data.id
  return (
    <>
      <Group gap="sm" align="flex-end">
        <MemberSelect
          label="Owner"
          placeholder="Nobody"
          w="18rem"
          orgId={scope.orgId}
          value={assignee?.id ?? null}
          formerName={assignee?.name}
          disabled={saving.isPending}
          onChange={(id) => saving.mutate({ assignee_id: id })}
        />
        {self.data && !isMine && (
          <Button
            variant="default"
            disabled={saving.isPending}
            onClick={() => saving.mutate({ assignee_id: self.data.id })}
          >
            Assign to me
          </Button>
        )}
        <DueField
          key={dueOn}
          value={dueOn ?? ''}
          isDisabled={saving.isPending}
          onSave={(due_on) => saving.mutate({ due_on })}
        />
        {own.due_on !== null && (
          <Button variant="default" disabled={saving.isPending} onClick={() => saving.mutate({ due_on: null })}>
            Reset date
          </Button>
        )}
      </Group>
      {assignee && !assignee.is_member && (
        <Text size="sm" c="var(--warning)">
          {assignee.name} is no longer a member of the organization. Choose another owner.
        </Text>
      )}
      <Remarks kind={kind} triage={attributes} />
      {saving.error && <RefusalAlert title="Not saved" error={saving.error} />}
    </>
  )
}

/** Saves when a complete day was chosen. */
function DueField({
  value,
  isDisabled,
  onSave,
}: {
  value: string
  isDisabled: boolean
  onSave: (day: string) => void
}) {
  const [day, setDay] = useState(value)
  const save = () => {
    if (day !== value && day !== '') onSave(day)
  }
  return (
    <TextInput
      type="date"
      label="Due date"
      value={day}
      disabled={isDisabled}
      onChange={(event) => setDay(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && save()}
    />
  )
}

/** Says where owner and date come from. */
function Remarks({ kind, triage }: { kind: Kind; triage: Triage['attributes'] }) {
  const { due_on: dueOn, policy_due_on: policy, is_overdue: isOverdue, own, assignee, repository } = triage
  const inherits = kind === 'project'
  const words = [
    ...(inherits && assignee && own.assignee_id === null ? [`Owner set for the repository ${repository.name}.`] : []),
    ...(inherits && dueOn !== null && dueOn !== policy && own.due_on === null
      ? [`Date set for the repository ${repository.name}.`]
      : []),
    ...(dueOn !== null && dueOn === policy && own.due_on === null ? ['Date from the SLA policy.'] : []),
    ...(policy !== null && dueOn !== policy ? [`The SLA policy says ${toFullDay(policy)}.`] : []),
  ]
  return (
    <Group gap="xs">
      {dueOn !== null && <DueDate on={dueOn} isOverdue={isOverdue} />}
      {words.length > 0 && <Note size="sm">{words.join(' ')}</Note>}
    </Group>
  )
}

import { Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { saveIgnore } from '../../../api/ignores.ts'
import { listOpenPlaces } from '../../../api/issues.ts'
import type { IssueGroup } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { useLeaveWarning } from '../../../hooks/leave-warning.ts'
import { Modal } from '../../../ui/dialogs.tsx'
import { severities } from '../../../ui/severity.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { countOf } from '../../../ui/words.ts'
import { freshTerms, type IgnoreTerms, TermsFields, useTermsForm } from '../ignores/fields.tsx'
import { keysOfIgnores } from '../ignores/read-again.ts'

interface Props {
  readonly orgId: string
  readonly groups: readonly IssueGroup[]
  readonly onDone: (ignored: number) => void
  readonly onClose: () => void
}

/** Ignores vulnerabilities in every project that has them open, one project after the other. */
export function BulkIgnore({ orgId, groups, onDone, onClose }: Props) {
  const [terms, setTerms] = useState(freshTerms)
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const queries = useQueryClient()
  const change = (part: Partial<IgnoreTerms>) => setTerms((now) => ({ ...now, ...part }))
  const saving = useMutation({
    mutationFn: async () => {
      const places = (await Promise.all(groups.map(({ id }) => listOpenPlaces(orgId, id)))).flat()
      for (const [done, { projectId, issueId }] of places.entries()) {
        setProgress({ done, total: places.length })
        await saveIgnore(orgId, projectId, { ...terms, issueId, path: '*' })
      }
      return places.length
    },
    onSettled: () => {
      for (const queryKey of keysOfIgnores(orgId)) void queries.invalidateQueries({ queryKey })
      void queries.invalidateQueries({ queryKey: ['issue-groups', orgId] })
    },
    onSuccess: (count) => onDone(count),
  })
  const { error, isPending } = saving
  const { submit, isEndMissing } = useTermsForm(terms, saving.mutate)
  useLeaveWarning(isPending)

  return (
    <Modal
      opened
      onClose={isPending ? () => {} : onClose}
      title={`Ignore ${countOf(groups.length, 'vulnerability', 'vulnerabilities')}`}
      size="lg"
    >
      <SubmitForm onSubmit={submit} aria-label="Ignore vulnerabilities">
        <Stack>
          <Affected groups={groups} />
          <TermsFields terms={terms} onChange={change} isEndMissing={isEndMissing} error={error} />
          {isPending && progress && (
            <>
              <Progress value={(100 * progress.done) / progress.total} aria-label="Ignored projects" />
              <Text size="sm" role="status">
                {progress.done.toLocaleString()} of {progress.total.toLocaleString()}
              </Text>
            </>
          )}
          {error && <RefusalAlert title={`Stopped after ${countOf(progress?.done ?? 0, 'issue')}`} error={error} />}
          <Group>
            <Button type="submit" loading={isPending}>
              Ignore everywhere
            </Button>
            <Button variant="default" onClick={onClose} disabled={isPending}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </SubmitForm>
    </Modal>
  )
}

const MAX_LISTED = 10

/** Lists what will be ignored: the first vulnerabilities, and the number of each severity. */
function Affected({ groups }: { groups: readonly IssueGroup[] }) {
  const bySeverity = severities.flatMap((severity) => {
    const count = groups.filter(({ attributes }) => attributes.severity === severity).length
    return count === 0 ? [] : [`${count.toLocaleString()} ${severity}`]
  })
  return (
    <div>
      <Text size="sm">{bySeverity.join(', ')}</Text>
      <List size="sm" aria-label="Vulnerabilities to ignore">
        {groups.slice(0, MAX_LISTED).map(({ id, attributes }) => (
          <List.Item key={id}>
            {attributes.name} ({id}) in {countOf(attributes.projects ?? 0, 'project')}
          </List.Item>
        ))}
      </List>
      {groups.length > MAX_LISTED && <Text size="sm">and {(groups.length - MAX_LISTED).toLocaleString()} more</Text>}
    </div>
  )
}
